public import CurlURLSession
public import Foundation
internal import Synchronization

/// Decodes bodies into values of a type, by default from JSON.
///
/// Any media type is acceptable, unless ``HTTPResponseSerializer/acceptableContentTypes`` says
/// otherwise. An empty body that is allowed stands for ``EmptyResponse/emptyValue`` of types that have
/// one, optional ones among them; for others it is an error.
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it, as its superclass' is.
open class DecodableResponseSerializer<Value>: ValueResponseSerializer, @unchecked Sendable
where Value: Decodable & Sendable {
    private let chosen = Mutex<any ResponseDecoder>(JSONDecoder())

    /// Creates a serializer that decodes JSON.
    public required init() {
        super.init()
    }

    /// Creates a serializer.
    ///
    /// - Parameters:
    ///   - type: What is decoded.
    ///   - decoder: Which isn't to be changed any more: it is used from any thread.
    public convenience init(
        of type: Value.Type = Value.self,
        decoder: any ResponseDecoder = JSONDecoder()
    ) {
        self.init()
        self.decoder = decoder
    }

    /// What decodes; for JSON by default.
    public final var decoder: any ResponseDecoder {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }

    /// The value.
    open func value(
        for request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?
    ) throws -> Value {
        try requireValid(response, data: data)
        return try make(request, response, data)
    }

    open override func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        object(for: response, data: data, error: &error) { try make(nil, $0, $1) }
    }

    private func make(
        _ request: URLRequest?,
        _ response: HTTPURLResponse?,
        _ data: Data?
    ) throws -> Value {
        if let bytes = try body(of: response, to: request, data: data) {
            return try decoder.decode(Value.self, from: bytes)
        }
        guard let type = Value.self as? any EmptyResponse.Type,
            let empty = type.emptyValue as? Value
        else { throw NSError.missingBody(response) }
        return empty
    }

    open override func copy() -> Self {
        let copy = super.copy()
        copy.decoder = decoder
        return copy
    }
}

extension DecodableResponseSerializer: ResponseValueSerialization {}
