public import CurlURLSession
public import Foundation
internal import Synchronization

/// Makes requests whose parameters are a body of JSON: AFNetworking's `AFJSONRequestSerializer`.
///
/// Parameters of methods that have theirs in the URL are a query, as with ``HTTPRequestSerializer``.
/// A request without parameters has no body and no `Content-Type`.
///
/// `@unchecked Sendable`: the one property that it adds is constant, and a lock, which the compiler
/// proves to be `Sendable` with all that is behind it.
open class JSONRequestSerializer: HTTPRequestSerializer, @unchecked Sendable {
    private let json = Mutex<JSONRequestOptions>(JSONRequestOptions())

    /// Creates a serializer that writes JSON in one line, keys in any order.
    public required init() {
        super.init()
    }

    /// Creates a serializer that writes JSON with options, `sortedKeys` for instance.
    public convenience init(writingOptions: JSONSerialization.WritingOptions) {
        self.init()
        self.writingOptions = writingOptions
    }

    /// Reads a serializer that was archived.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        let options = try JSONRequestOptions(from: decoder)
        json.withLock { $0 = options }
    }

    /// Archives the serializer's configuration.
    ///
    /// - Throws: `EncodingError` where there is a closure in it.
    open override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        try json.withLock { $0 }.encode(to: encoder)
    }

    open override func copy() -> Self {
        let copy = super.copy()
        let options = json.withLock { $0 }
        copy.json.withLock { $0 = options }
        return copy
    }

    /// How JSON is written; in one line with keys in any order unless set. It holds for `Encodable`
    /// parameters too, unless ``makeEncoder`` is set.
    open var writingOptions: JSONSerialization.WritingOptions {
        get { json.withLock { $0.writingOptions } }
        set { json.withLock { $0.writingOptions = newValue } }
    }

    /// Makes what writes `Encodable` parameters, on the thread that makes a request; `nil` unless set.
    open var makeEncoder: (@Sendable () -> JSONEncoder)? {
        get { json.withLock { $0.makeEncoder } }
        set {
            var former = newValue
            json.withLock { swap(&$0.makeEncoder, &former) }
        }
    }

    /// A copy of a request with the default headers that it lacks, and with parameters.
    ///
    /// - Throws: An error of ``URLRequestSerializationErrorDomain`` with the code
    ///   `cannotDecodeContentData` for parameters that aren't an array or dictionary of what JSON has;
    ///   what `JSONSerialization` throws.
    open override func request(
        bySerializing request: URLRequest,
        withParameters parameters: Any?
    ) throws -> URLRequest {
        guard !encodesParametersInURI(of: request) else {
            return try super.request(bySerializing: request, withParameters: parameters)
        }
        var request = addingDefaultHeaders(to: request)
        guard let parameters else { return request }
        guard JSONSerialization.isValidJSONObject(parameters) else {
            throw URLRequestSerializationError.invalidParameters(
                "The `parameters` argument is not valid JSON."
            )
        }
        request.httpBody = try JSONSerialization.data(
            withJSONObject: parameters,
            options: writingOptions
        )
        request.setContentType("application/json")
        return request
    }

    /// A copy of a request with the default headers that it lacks, and with `Encodable` parameters.
    ///
    /// - Throws: `EncodingError`, or what the parameters throw.
    open override func request(
        bySerializing request: URLRequest,
        encoding parameters: some Encodable
    ) throws -> URLRequest {
        guard !encodesParametersInURI(of: request) else {
            return try super.request(bySerializing: request, encoding: parameters)
        }
        var request = addingDefaultHeaders(to: request)
        request.httpBody = try json.withLock { $0 }.encoder.encode(parameters)
        request.setContentType("application/json")
        return request
    }
}
