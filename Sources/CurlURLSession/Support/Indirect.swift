/// Stores an optional value on the heap. Used for values that most tasks don't have: while `nil`,
/// it takes the size of one reference.
@propertyWrapper
struct Indirect<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box?

    init(wrappedValue: Value?) {
        box = wrappedValue.map { Box($0) }
    }

    var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map { Box($0) } }
    }
}
