/** What can come instead of a go-ahead. Each is its own error, so that none passes for a yes. */

import type { Decision, Values } from "./decision.js";
import { HoldpointError } from "./problem.js";

/** There is no answer to go on with; `decision` says how it stands. */
export class Withheld extends HoldpointError {
  readonly decision: Decision;

  constructor(decision: Decision, detail: string, options?: ErrorOptions) {
    // Words in it come from elsewhere; on a terminal they must be no more than words.
    super(detail.replace(/[\p{C}\u2028\u2029]/gu, " "), options);
    this.decision = decision;
  }
}

/** Someone said no, or answered with something that was not expected. */
export class Refused extends Withheld {}

/** Someone gave guidance instead of an answer; the next round is open. */
export class Refined extends Withheld {
  /** What they said. */
  get guidance(): string {
    return this.decision.answer?.message ?? "";
  }

  /** The id of the next round. */
  get next(): string | null {
    return this.decision.next;
  }
}

/** Nobody answered until the deadline. Silence is not consent. */
export class TimedOut extends Withheld {
  /** The values that the question itself declared for this case; empty if it declared none. */
  get default(): Values {
    return this.decision.answer?.values ?? {};
  }
}

/** It was taken back. */
export class Cancelled extends Withheld {}

/** Replaced by a newer decision; `decision.superseded_by` names it. */
export class Superseded extends Withheld {}

/** It is gone, with its owner or by pruning; `decision` is as it was seen last. */
export class Removed extends Withheld {}

/** Someone answered, but the schema that the form was made from does not accept it; the cause says why. */
export class Unfit extends Withheld {}

/** The time to wait is up; it still waits for someone. Go on with `wait`. */
export class StillPending extends Withheld {}

/** Returns what to throw for a decision that gives no go-ahead; null if someone answered and did not refuse. */
export function withheld(decision: Decision, answered: boolean, refused: boolean): Withheld | null {
  const { id } = decision;
  const message = decision.answer?.message ?? null;
  if (refused) return new Refused(decision, `${id} was refused${message === null ? "" : `: ${message}`}`);
  if (answered) return null;
  switch (decision.status) {
    case "pending":
      return new StillPending(decision, `${id} is still pending`);
    case "refined":
      return new Refined(decision, `${id} got guidance; the next round is ${decision.next}: ${message}`);
    case "timed_out":
      return new TimedOut(decision, `nobody answered ${id} until its deadline`);
    case "cancelled":
      return new Cancelled(decision, `${id} was cancelled${decision.reason === null ? "" : `: ${decision.reason}`}`);
    case "superseded":
      return new Superseded(decision, `${id} was superseded by ${decision.superseded_by}`);
    default:
      // A status from a newer server is no yes either.
      return new Withheld(decision, `${id} is ${decision.status}`);
  }
}
