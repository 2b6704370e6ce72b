// Made by `hold hook install opencode`; `hold hook uninstall opencode` removes it.
import { spawn } from "node:child_process";

// What only looks passes unasked; every other tool, also of MCP servers, is asked about.
const LOOKS = ["glob", "grep", "list", "read", "skill", "todoread", "todowrite"];
const COMMAND = ["hold"];

export const Holdpoint = async ({ directory }) => ({
  "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
    if (LOOKS.includes(tool)) return;
    const hook = spawn(COMMAND[0], COMMAND.slice(1), { cwd: directory, stdio: ["pipe", "pipe", "ignore"] });
    const end = () => hook.kill();
    process.on("exit", end);
    const call = { session_id: sessionID, cwd: directory, tool_name: tool, tool_input: args, tool_use_id: callID };
    let said = "";
    hook.stdout.on("data", (part) => (said += part));
    try {
      await new Promise((done, failed) => {
        hook.on("close", done).on("error", failed);
        hook.stdin.on("error", () => {}).end(JSON.stringify({ ...call, hook_event_name: "PreToolUse" }));
      });
    } finally {
      process.off("exit", end);
    }
    // An error is how a plugin says no; the agent reads its words.
    const { decision, reason } = said ? JSON.parse(said) : { reason: "Holdpoint did not answer." };
    if (decision !== "allow") throw new Error(reason);
  },
});
