# Builds, lets an agent fix what does not build, and builds again. The agent is a plain shell script: see fix.sh.
#
#   hold serve &
#   hold job check examples/runbooks/build-and-fix.hcl
#   hold job start examples/runbooks/build-and-fix.hcl --var dir=/tmp/greeting --cwd examples/runbooks

job "build" {
  vars = { dir = "greeting" }

  step "prepare" {
    run = "mkdir -p \"${var.dir}\" && cp \"${job.dir}\"/fix.sh \"${job.dir}\"/build.sh \"${var.dir}\"/"
  }
  step "build" {
    run     = "cd \"${var.dir}\" && sh build.sh"
    on_done = { step = "report" }
    on_fail = { step = "fix" }
  }
  step "fix" {
    run     = { agent = "fixer" }
    on_done = { step = "build" }
  }
  step "report" {
    run = "printf 'built in %s\\n' ${var.dir}"
  }
}

agent "fixer" {
  run        = "cd \"${var.dir}\" && sh fix.sh"
  idle_after = "2s"

  # It asks before it writes: that becomes an approval. It exits 0 when it is through.
  on_dead = [
    { match = 0, action = "done" },
    { action = "resume", attempts = 2, cooldown = "5s" },
  ]
  on_idle = { action = "nudge", message = "go on", attempts = 2, cooldown = "10s" }
}
