public import CurlURLSession
public import Foundation
internal import Synchronization

/// Asks several serializers, one after the other, until one makes an object of the body.
///
/// What those that made none had to complain about is forgotten. If none did, the body is returned as
/// it is, if it is acceptable to this serializer. An ``HTTPResponseSerializer`` itself, which makes
/// something of everything, belongs last.
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it, as its superclass' is.
open class CompoundResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    private let serializers = Mutex<[any URLResponseSerialization]>([])

    /// Creates a serializer that asks nobody.
    public required init() {
        super.init()
    }

    /// Creates a serializer that asks others.
    ///
    /// - Parameter responseSerializers: In the order in which they are asked. Those that aren't
    ///   ``HTTPResponseSerializer``s are passed over.
    public convenience init(responseSerializers: [any URLResponseSerialization]) {
        self.init()
        serializers.withLock { $0 = responseSerializers }
    }

    /// Who is asked, in this order.
    public final var responseSerializers: [any URLResponseSerialization] {
        serializers.withLock { $0 }
    }

    /// The first object that a serializer makes, with that one's error.
    open override func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        for case let serializer as HTTPResponseSerializer in responseSerializers {
            var failure: (any Error)?
            guard
                let object = serializer.responseObject(for: response, data: data, error: &failure)
            else { continue }
            error = error.caused(failure)
            return object
        }
        return super.responseObject(for: response, data: data, error: &error)
    }

    /// A serializer that asks the same ones, not copies of them, as AFNetworking's does.
    open override func copy() -> Self {
        let copy = super.copy()
        let serializers = responseSerializers
        copy.serializers.withLock { $0 = serializers }
        return copy
    }
}
