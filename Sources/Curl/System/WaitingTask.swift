/// A Swift task that waits for a value.
///
/// That nobody gives it a second one, the compiler sees to; a `CheckedContinuation` finds it out when it
/// happens, and takes memory for that. Nor does the compiler know how large one of those is, and so
/// nothing about a state that it is kept in, which every request changes a dozen times.
@safe
package struct WaitingTask<Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline
    let continuation: UnsafeContinuation<Value, Never>

    @usableFromInline
    init(_ continuation: UnsafeContinuation<Value, Never>) {
        unsafe self.continuation = continuation
    }

    /// Lets the task go on.
    package consuming func resume(returning value: Value) {
        unsafe continuation.resume(returning: value)
    }

    /// Lets the calling task wait.
    ///
    /// - Parameter keep: Sees to it that the task is resumed; it waits for ever otherwise.
    @inlinable
    package static func wait(keep: (consuming WaitingTask) -> Void) async -> Value {
        await unsafe withUnsafeContinuation { continuation in
            unsafe keep(WaitingTask(continuation))
        }
    }
}
