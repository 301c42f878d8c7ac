internal import Synchronization

/// Hands an object that isn't safe to use from several threads to the one who takes it.
public final class Handover<Value>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming sending Value) {
        self.value = Mutex(value)
    }

    /// The object, for the first who asks; `nil` for others.
    public func take() -> sending Value? {
        value.withLock { value in
            let taken = value
            value = nil
            return taken
        }
    }
}
