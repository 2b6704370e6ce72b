// A picture of a terminal: `hold inbox` runs in tmux at 80 × 24, and its screen is converted to an SVG.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { HOLD } from "./stage.js";

const COLUMNS = 80, LINES = 24, CELL = { width: 8.4, height: 18 };
const COLOURS = { 1: "#ff7b72", 2: "#56d364", 3: "#e3b341", 4: "#79c0ff", 6: "#56d4dd", 7: "#e6edf3" };
const INK = "#e6edf3", PAPER = "#0d1117";

/** Opens the inbox of a server, presses keys, and draws the screen into a file. */
export async function terminal(server, keys, file) {
  const socket = `hold-picture-${process.pid}`;
  const tmux = (...words) => execFileSync("tmux", ["-L", socket, ...words], { encoding: "utf8" });
  const variables = [`HOLD_HOME=${server.home}`, "USER=ana", "PATH=/usr/bin:/bin", "TERM=xterm-256color", "LC_ALL=C.UTF-8"];
  tmux("-u", "-f", "/dev/null", "new-session", "-d", "-x", `${COLUMNS}`, "-y", `${LINES}`, "env", "-i", ...variables, HOLD, "inbox");
  try {
    const shows = async (words) => {
      for (let tries = 0; tries < 200; tries++) {
        if (tmux("capture-pane", "-p").includes(words)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`the terminal never shows ${words}:\n${tmux("capture-pane", "-p")}`);
    };
    await shows("pending decisions");
    // The inbox ignores keys on what has only just appeared.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const key of keys) tmux("send-keys", key);
    await shows("(refuses)");
    writeFileSync(file, drawn(tmux("capture-pane", "-p", "-e")));
  } finally {
    tmux("kill-server");
  }
}

function drawn(screen) {
  const rows = screen.replace(/\n+$/, "").split("\n").map((line, at) => row(line, 8 + at * CELL.height));
  const width = COLUMNS * CELL.width + 16, height = LINES * CELL.height + 16;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The terminal inbox">
<rect width="100%" height="100%" rx="6" fill="${PAPER}"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
${rows.join("")}</g>
</svg>
`;
}

/** Draws a line: each run of one style at a fixed position, so that no font can shift it. */
function row(line, top) {
  let look = {}, column = 0, out = "";
  for (const part of line.split(/(\x1b\[[0-9;]*m)/)) {
    const codes = /^\x1b\[([0-9;]*)m$/.exec(part);
    if (codes) { look = changed(look, codes[1].split(";").map(Number)); continue; }
    const count = [...part].length;
    if (!count) continue;
    const x = (8 + column * CELL.width).toFixed(1), wide = (count * CELL.width).toFixed(1);
    const ink = COLOURS[look.colour] ?? INK;
    if (look.reversed) out += `<rect x="${x}" y="${top}" width="${wide}" height="${CELL.height}" fill="${ink}"/>`;
    if (part.trim()) {
      const style = `${look.bold ? ' font-weight="bold"' : ""}${look.dim ? ' opacity="0.6"' : ""}`;
      out += `<text x="${x}" y="${top + 13}" textLength="${wide}" lengthAdjust="spacingAndGlyphs" fill="${look.reversed ? PAPER : ink}"${style}>${safe(part)}</text>\n`;
    }
    column += count;
  }
  return out;
}

function changed(look, codes) {
  let next = { ...look };
  for (const [at, code] of codes.entries()) {
    if (code === 0) next = {};
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 7) next.reversed = true;
    else if (code === 22) next.bold = next.dim = false;
    else if (code === 27) next.reversed = false;
    else if (code >= 30 && code <= 37) next.colour = code - 30;
    else if (code === 38 && codes[at + 1] === 5) { next.colour = codes[at + 2]; break; }
    else if (code === 39) next.colour = undefined;
  }
  return next;
}

const safe = (text) => text.replace(/ /g, "\u00a0").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
