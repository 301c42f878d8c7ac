/// A Swift task that waits for a value.
///
/// The compiler ensures that it is resumed at most once. A `CheckedContinuation` checks that at run
/// time, which needs memory. Also, the compiler doesn't know the size of one, nor that of a state
/// that stores it, which every request changes a dozen times.
@safe
package struct WaitingTask<Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline
    let continuation: UnsafeContinuation<Value, Never>

    @usableFromInline
    init(_ continuation: UnsafeContinuation<Value, Never>) {
        unsafe self.continuation = continuation
    }

    /// Resumes the task.
    package consuming func resume(returning value: Value) {
        unsafe continuation.resume(returning: value)
    }

    /// Suspends the calling task.
    ///
    /// - Parameter keep: Stores the waiting task. It must be resumed, otherwise it waits forever.
    @inlinable
    package static func wait(keep: (consuming WaitingTask) -> Void) async -> Value {
        await unsafe withUnsafeContinuation { continuation in
            unsafe keep(WaitingTask(continuation))
        }
    }
}

extension TaskExecutor {
    /// Runs a job on the calling thread, which belongs to this executor.
    package func run(_ job: UnownedJob) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
