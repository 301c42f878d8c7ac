public import CurlURLSession
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: its only stored property is a constant lock, which the compiler proves to
// be `Sendable` together with the state that it protects, as in its superclass.
/// Tries several serializers in order, until one returns an object.
///
/// Errors of serializers that return no object are discarded. If none returns one, the body is
/// returned unchanged, if it is acceptable to this serializer. Put an ``HTTPResponseSerializer``
/// itself last: it accepts any body.
open class CompoundResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    private let serializers = Mutex<[any URLResponseSerialization]>([])

    private enum CodingKeys: CodingKey {
        case serializers
    }

    /// Creates a serializer without others.
    public required init() {
        super.init()
    }

    /// Creates a serializer that tries others.
    ///
    /// - Parameter responseSerializers: The serializers, in the order in which they are tried.
    ///   Those that aren't ``HTTPResponseSerializer``s are skipped.
    public convenience init(responseSerializers: [any URLResponseSerialization]) {
        self.init()
        serializers.withLock { $0 = responseSerializers }
    }

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let parts = try values.decode([ResponseSerializerValue].self, forKey: .serializers)
        let decoded = parts.map(\.serializer)
        serializers.withLock { $0 = decoded }
    }

    /// Archives the serializer's settings and its serializers.
    ///
    /// - Throws: `EncodingError` for serializers other than ``HTTPResponseSerializer`` and those of
    ///   JSON, property lists, images and compounds, for subclasses of them, and if one has a
    ///   `validation`.
    open override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        let parts = try responseSerializers.map { try ResponseSerializerValue($0) }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(parts, forKey: .serializers)
    }

    /// The serializers, in the order in which they are tried.
    public final var responseSerializers: [any URLResponseSerialization] {
        serializers.withLock { $0 }
    }

    /// Returns the first object of a serializer, with that serializer's error.
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

    /// Returns a serializer that shares the same serializers, as AFNetworking's does.
    open override func copy() -> Self {
        let copy = super.copy()
        let serializers = responseSerializers
        copy.serializers.withLock { $0 = serializers }
        return copy
    }
}
