//! `hold`: the one binary. It reads its arguments, opens a client, and turns the outcome into an exit code.

mod acp;
mod api;
mod cli;
mod desktop;
mod document;
mod hooks;
mod http;
mod inbox;
mod mcp;
mod server;
mod view_model;
mod web;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::main()
}
