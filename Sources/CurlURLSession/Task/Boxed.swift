/// What most tasks have none of: it takes up no more room than a reference, and memory of its own where
/// there is something.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
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
