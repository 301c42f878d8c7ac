internal import Glibc
internal import LoadSupport
internal import Synchronization

/// Runs `work` in a task, with the calling thread blocked. With an asynchronous `main` instead, the
/// main thread ends, which profilers that follow threads get into trouble with.
@discardableResult
public func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let box = Box<Value>()
    let wakeup = load_wakeup_make()
    Task.detached {
        let value = await work()
        box.value.withLock { $0 = value }
        load_wakeup_signal(wakeup)
    }
    while true {
        load_wakeup_wait(wakeup)
        if let value = box.value.withLock({ $0 }) {
            close(wakeup)
            return value
        }
    }
}

private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
