# Claude Code works on a task in a git worktree of its own; tests are the gate.
#
#   hold job start examples/runbooks/claude.hcl --job change --var task="Make the parser accept tabs"
#
# Its hooks tell more exactly what it does than the screen: hold hook install claude

job "change" {
  vars     = ["task"]
  worktree = true

  step "work" { run = { agent = "claude" } }
  step "commit" { run = "git add -A && git commit --message=${var.task} && git log --stat -1" }
}

agent "claude" {
  run    = "claude"
  prompt = "${var.task}"

  on_idle   = { action = "gate", run = "just check" }
  on_prompt = "escalate"
  on_dead   = { action = "resume", attempts = 2, message = "You were interrupted. Go on where you were." }
  on_error  = [
    { match = "rate_limited", action = "resume", attempts = "forever", cooldown = "10m" },
    { action = "escalate" },
  ]
}
