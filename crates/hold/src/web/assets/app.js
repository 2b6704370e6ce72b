// Gives life to pages that work without it. Each concern is a module; what is on the page is started here.
import "./attend.js";
import * as badge from "./badge.js";
import * as batch from "./batch.js";
import * as buttons from "./buttons.js";
import * as card from "./card.js";
import * as change from "./change.js";
import * as choices from "./choices.js";
import "./comment.js";
import * as drafts from "./drafts.js";
import * as form from "./form.js";
import * as job from "./job.js";
import * as keys from "./keys.js";
import * as list from "./list.js";
import * as live from "./live.js";
import * as marks from "./marks.js";
import * as panes from "./panes.js";
import * as pictures from "./pictures.js";
import * as push from "./push.js";
import * as reach from "./reach.js";
import * as reading from "./reading.js";
import * as run from "./run.js";
import * as search from "./search.js";
import * as seen from "./seen.js";
import * as sending from "./sending.js";
import * as upcoming from "./upcoming.js";
import { begin } from "./view.js";

// Modules that may block sending come before the form.
begin([choices, reach, panes, reading, form, sending, drafts, change, seen, pictures, batch, buttons, live, list, search, marks, card, run, job, keys, upcoming, push, badge]);
document.addEventListener("followed", () => { pictures.start(); buttons.start(); });
// The tabs scroll on a narrow screen.
document.querySelector(".top nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
