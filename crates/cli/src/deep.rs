//! Work that needs a deep stack: deep statements are read by recursion, within the parser's bound.

use anyhow::Context as _;

const STACK_BYTES: usize = 16 * 1024 * 1024;

/// Does the work on a stack that is deep enough for any statement, in a runtime for what waits.
///
/// # Errors
/// When no thread or runtime can be had, and what the work says.
pub fn run<T: Send, F: Future<Output = anyhow::Result<T>>>(
    work: impl FnOnce() -> F + Send,
) -> anyhow::Result<T> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || {
                let mut runtime = tokio::runtime::Builder::new_current_thread();
                runtime.enable_all().build().context("cannot start a runtime")?.block_on(work())
            })
            .context("cannot start a thread")?
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
