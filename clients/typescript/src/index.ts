/** Ask a person, hold, and go on with the answer: client of a Holdpoint server. */

export { Client } from "./client.js";
export type { AnswerInput, Answered, AskOptions, ClientOptions, EventQuery, ListQuery } from "./client.js";
export { chosen, isAnswered, isApproved, isPending, isRefused, onlyValue, requireAnswer } from "./outcome.js";
export type { Answer, Auth, Decision, Effect, Field, Kind, Needs, OnTimeout, Option, Priority, Source, Status, Values, Vote } from "./decision.js";
export type { Duration } from "./duration.js";
export type { Event } from "./event.js";
export { HoldpointError, NotConfigured, Problem, Unreachable } from "./problem.js";
export type { FieldError } from "./problem.js";
export type { Callback, FieldInput, OptionInput, OptionLike, Question, Revision } from "./question.js";
export { fieldsOf, into } from "./schema.js";
export type { Schema } from "./schema.js";
export { Cancelled, Refined, Refused, Removed, StillPending, Superseded, TimedOut, Unfit, Withheld } from "./withheld.js";
export { isUnderWay, NotAccepted, requireVerdict } from "./run.js";
export type { Artifact, Evidence, PatchSet, Run, RunVerdict, Standing, TaskState, Touched, Verdict } from "./run.js";
export { Runs } from "./runs.js";
export type { FinishRun, NewComment, NewEvidence, RunQuery, StartRun } from "./runs.js";
export type { CallOptions } from "./transport.js";
export { Views } from "./views.js";
export type { NewView, View } from "./views.js";
export { NotGenuine, Notice, verify } from "./webhook.js";
export type { HeadersLike, Outcome } from "./webhook.js";
