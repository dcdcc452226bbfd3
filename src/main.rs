//! The program: everything is in the library.

fn main() -> std::process::ExitCode {
    toolcost::cli::main().into()
}
