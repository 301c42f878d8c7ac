public import CurlURLSession
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: the only property that it adds is a constant lock, which the compiler
// proves to be `Sendable` together with the state that it protects.
/// Creates requests with JSON bodies: AFNetworking's `AFJSONRequestSerializer`.
///
/// For methods whose parameters are in the URL, they become a query, as with
/// ``HTTPRequestSerializer``. A request without parameters has no body and no `Content-Type`.
open class JSONRequestSerializer: HTTPRequestSerializer, @unchecked Sendable {
    private let json = Mutex<JSONRequestOptions>(JSONRequestOptions())

    /// Creates a serializer that writes JSON in one line.
    ///
    /// Keys are in any order.
    public required init() {
        super.init()
    }

    /// Creates a serializer with writing options, for example `sortedKeys`.
    public convenience init(writingOptions: JSONSerialization.WritingOptions) {
        self.init()
        self.writingOptions = writingOptions
    }

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        let options = try JSONRequestOptions(from: decoder)
        json.withLock { $0 = options }
    }

    /// Archives the serializer's configuration.
    ///
    /// - Throws: `EncodingError` if the configuration contains a closure.
    open override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        try json.withLock { $0 }.encode(to: encoder)
    }

    /// Returns a serializer with the same settings.
    open override func copy() -> Self {
        let copy = super.copy()
        let options = json.withLock { $0 }
        copy.json.withLock { $0 = options }
        return copy
    }

    /// How JSON is written.
    ///
    /// By default it is written in one line, with keys in any order. The options also apply to
    /// `Encodable` parameters, unless ``makeEncoder`` is set.
    open var writingOptions: JSONSerialization.WritingOptions {
        get { json.withLock { $0.writingOptions } }
        set { json.withLock { $0.writingOptions = newValue } }
    }

    /// Creates the encoder for `Encodable` parameters; `nil` by default.
    ///
    /// Called on the thread that creates a request.
    open var makeEncoder: (@Sendable () -> JSONEncoder)? {
        get { json.withLock { $0.makeEncoder } }
        set {
            var former = newValue
            json.withLock { swap(&$0.makeEncoder, &former) }
        }
    }

    /// Copies a request, and adds parameters and missing default headers.
    ///
    /// - Throws: An error of ``URLRequestSerializationErrorDomain`` with the code
    ///   `cannotDecodeContentData` for parameters that aren't an array or dictionary of JSON
    ///   values; errors of `JSONSerialization`.
    open override func request(
        bySerializing request: URLRequest,
        withParameters parameters: Any?
    ) throws -> URLRequest {
        guard !encodesParametersInURI(of: request) else {
            return try super.request(bySerializing: request, withParameters: parameters)
        }
        var request = try addingDefaultHeaders(to: request)
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

    /// Copies a request, and adds `Encodable` parameters and missing default headers.
    ///
    /// - Throws: `EncodingError`, or an error of the parameters.
    open override func request(
        bySerializing request: URLRequest,
        encoding parameters: some Encodable
    ) throws -> URLRequest {
        guard !encodesParametersInURI(of: request) else {
            return try super.request(bySerializing: request, encoding: parameters)
        }
        var request = try addingDefaultHeaders(to: request)
        request.httpBody = try json.withLock { $0 }.encoder.encode(parameters)
        request.setContentType("application/json")
        return request
    }
}
