internal import Synchronization

/// Transfers an object that isn't thread-safe to one caller.
public final class SendingBox<Value>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming sending Value) {
        self.value = Mutex(value)
    }

    /// Returns the object to the first caller; `nil` to later ones.
    public func take() -> sending Value? {
        value.withLock { value in
            let taken = value
            value = nil
            return taken
        }
    }
}
