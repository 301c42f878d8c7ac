public import CurlURLSession
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: its only stored property is a constant lock, which the compiler proves to
// be `Sendable` together with the state that it protects. An `open` class can't declare this
// without `@unchecked`; a subclass is responsible for the state that it adds.
/// Creates requests with default headers and encoded parameters.
///
/// Parameters are encoded as a query or as a form body. It is AFNetworking's
/// `AFHTTPRequestSerializer`. Parameters of `GET`, `HEAD` and `DELETE` requests are added to the
/// URL. Those of other methods become a body of `application/x-www-form-urlencoded`.
/// ``queryString(from:arrayEncoding:boolEncoding:)`` describes how they are written. Each request
/// has the headers `Accept-Language` and `User-Agent`, unless it has its own or they were removed
/// here.
///
/// A serializer may be used and changed from any thread. Each property is read while a request is
/// created: a request that is created while several properties are changed may have only some of
/// the changes.
///
/// A serializer can be archived unless a query string block, a form encoder or a custom array
/// encoding is set. These are closures; `encode(to:)` throws `EncodingError` for them.
open class HTTPRequestSerializer: URLRequestSerialization, Codable, @unchecked Sendable {
    private let state = Mutex<HTTPRequestSerializerState>(HTTPRequestSerializerState())

    /// Creates a serializer with the default headers.
    public required init() {}

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        let decoded = try HTTPRequestSerializerState(from: decoder)
        state.withLock { $0 = decoded }
    }

    /// Archives the serializer's configuration.
    ///
    /// - Throws: `EncodingError` if the configuration contains a closure.
    open func encode(to encoder: any Encoder) throws {
        try snapshot.encode(to: encoder)
    }

    /// Creates a serializer with the same configuration.
    ///
    /// Subclasses override it to copy their own properties.
    open func copy() -> Self {
        let copy = type(of: self).init()
        let state = snapshot
        copy.change { $0 = state }
        return copy
    }

    /// A copy of the whole current configuration.
    final var snapshot: HTTPRequestSerializerState { state.withLock { $0 } }

    final func change(_ change: (inout HTTPRequestSerializerState) -> Void) {
        // A replaced value may hold the last reference to a client's object: it is released outside
        // of the lock.
        _ = state.withLock { state in
            let former = state
            change(&state)
            return former
        }
    }

    // MARK: Headers

    /// The header fields that are added to each request that lacks them.
    open var httpRequestHeaders: HTTPHeaders { snapshot.headers }

    /// Sets the value of a default header field; `nil` removes it.
    ///
    /// The case of `field` is ignored.
    open func setValue(_ value: String?, forHTTPHeaderField field: String) {
        change { $0.headers[field] = value }
    }

    /// The value of a default header field; `nil` if there is none.
    ///
    /// The case of `field` is ignored.
    open func value(forHTTPHeaderField field: String) -> String? {
        snapshot.headers[field]
    }

    // MARK: Encoding

    /// The encoding of bodies and multipart text; UTF-8 by default.
    ///
    /// Percent-encoding always uses UTF-8.
    open var stringEncoding: String.Encoding {
        get { snapshot.stringEncoding }
        set { change { $0.stringEncoding = newValue } }
    }

    /// The methods whose parameters are added to the URL, in capital letters.
    ///
    /// `GET`, `HEAD` and `DELETE` by default.
    open var httpMethodsEncodingParametersInURI: Set<HTTPMethod> {
        get { snapshot.methodsEncodingParametersInURI }
        set { change { $0.methodsEncodingParametersInURI = newValue } }
    }

    /// How array elements are named. `brackets` by default.
    open var arrayEncoding: ArrayEncoding {
        get { snapshot.arrayEncoding }
        set { change { $0.arrayEncoding = newValue } }
    }

    /// How Booleans are written. `numeric` by default.
    open var boolEncoding: BoolEncoding {
        get { snapshot.boolEncoding }
        set { change { $0.boolEncoding = newValue } }
    }

    /// The encoder for `Encodable` parameters; `nil` by default.
    ///
    /// With `nil`, an encoder with ``arrayEncoding`` and ``boolEncoding`` is used.
    open var formEncoder: URLEncodedFormEncoder? {
        get { snapshot.formEncoder }
        set { change { $0.formEncoder = newValue } }
    }

    /// Selects a built-in query style and removes the query string block.
    open func setQueryStringSerialization(with style: HTTPRequestQueryStringSerializationStyle) {
        change { state in
            state.style = style
            state.queryBlock = nil
        }
    }

    /// Sets a block that creates queries, also for bodies.
    ///
    /// `nil` selects the built-in style.
    ///
    /// - Parameter block: Called with a request and its parameters on the thread that creates the
    ///   request; not called without parameters. Creating the request rethrows its errors. `nil` is
    ///   an empty query.
    open func setQueryStringSerialization(
        _ block: (@Sendable (_ request: URLRequest, _ parameters: Any) throws -> String?)?
    ) {
        change { $0.queryBlock = block }
    }

    // MARK: Request properties

    /// Sets the property of created requests; `nil`, the default, leaves it unchanged.
    open var allowsCellularAccess: Bool? {
        get { snapshot.options.allowsCellularAccess }
        set { change { $0.options.allowsCellularAccess = newValue } }
    }

    /// Sets the property of created requests; `nil`, the default, leaves it unchanged.
    open var cachePolicy: URLRequest.CachePolicy? {
        get { snapshot.options.cachePolicy }
        set { change { $0.options.cachePolicy = newValue } }
    }

    /// Sets the property of created requests; `nil`, the default, leaves it unchanged.
    open var httpShouldHandleCookies: Bool? {
        get { snapshot.options.httpShouldHandleCookies }
        set { change { $0.options.httpShouldHandleCookies = newValue } }
    }

    /// Sets the property of created requests; `nil`, the default, leaves it unchanged.
    ///
    /// It has no effect over HTTP/1.1.
    open var httpShouldUsePipelining: Bool? {
        get { snapshot.options.httpShouldUsePipelining }
        set { change { $0.options.httpShouldUsePipelining = newValue } }
    }

    /// Sets the property of created requests; `nil`, the default, leaves it unchanged.
    open var networkServiceType: URLRequest.NetworkServiceType? {
        get { snapshot.options.networkServiceType }
        set { change { $0.options.networkServiceType = newValue } }
    }

    /// Sets the property of created requests; `nil`, the default, leaves it unchanged.
    ///
    /// In seconds.
    open var timeoutInterval: TimeInterval? {
        get { snapshot.options.timeoutInterval }
        set { change { $0.options.timeoutInterval = newValue } }
    }

    // MARK: Creating requests

    /// Creates a request with parameters.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: An absolute URL.
    ///   - parameters: The parameters to encode, or `nil` for none.
    /// - Throws: An error of ``URLRequestSerializationErrorDomain``, or an error of the query
    ///   string block.
    open func request(
        withMethod method: HTTPMethod,
        urlString: String,
        parameters: Any? = nil
    ) throws -> URLRequest {
        try request(
            bySerializing: emptyRequest(withMethod: method, urlString: urlString),
            withParameters: parameters
        )
    }

    /// Copies a request, and adds parameters and missing default headers.
    ///
    /// Properties such as ``timeoutInterval`` aren't applied: the request keeps its own.
    ///
    /// - Throws: An error of ``URLRequestSerializationErrorDomain``, or an error of the query
    ///   string block.
    open func request(
        bySerializing request: URLRequest,
        withParameters parameters: Any?
    ) throws -> URLRequest {
        let state = snapshot
        var request = request
        try state.addHeaders(to: &request)
        try state.put(state.query(of: parameters, for: request), into: &request)
        return request
    }

    /// Copies a request, and adds `Encodable` parameters and missing default headers.
    ///
    /// ``formEncoder`` encodes the parameters.
    ///
    /// - Throws: An error of ``URLRequestSerializationErrorDomain``, or an error of the parameters.
    open func request(
        bySerializing request: URLRequest,
        encoding parameters: some Encodable
    ) throws -> URLRequest {
        let state = snapshot
        var request = request
        try state.addHeaders(to: &request)
        try state.put(state.encoder.encode(parameters), into: &request)
        return request
    }

    /// Creates a request with a multipart form as its body.
    ///
    /// The form is read while it is sent: files and streams are never in memory as a whole. The
    /// request's `Content-Length` is the exact length of the form. The form is sent again after a
    /// redirect or a challenge, unless a part is a stream. Without parameters and parts the request
    /// has no form.
    ///
    /// - Parameters:
    ///   - method: The method, which can't be `GET` or `HEAD`.
    ///   - urlString: An absolute URL.
    ///   - parameters: A dictionary whose values become parts before those of `block`, in the order
    ///     and with the names of a query. Data becomes a part unchanged.
    ///   - block: Appends parts. It is called synchronously, on the same thread.
    /// - Throws: An error of ``URLRequestSerializationErrorDomain``, or an error of `block`.
    open func multipartFormRequest(
        withMethod method: HTTPMethod,
        urlString: String,
        parameters: Any? = nil,
        constructingBodyWith block: ((any MultipartFormData) throws -> Void)? = nil
    ) throws -> URLRequest {
        guard method != .get, method != .head else {
            throw URLRequestSerializationError.invalidParameters(
                "The `method` argument is \(method), whose requests have no body."
            )
        }
        let request = try request(withMethod: method, urlString: urlString)
        let state = snapshot
        let form = MultipartForm(stringEncoding: state.stringEncoding)
        if let parameters { try form.append(parameters, state.pairStyle) }
        try block?(form)
        return form.complete(request)
    }
}

/// How ``HTTPRequestSerializer`` writes parameters as a query.
///
/// It is AFNetworking's `AFHTTPRequestQueryStringSerializationStyle`.
public enum HTTPRequestQueryStringSerializationStyle: UInt, Sendable, Codable {
    /// As ``queryString(from:arrayEncoding:boolEncoding:)`` does.
    case defaultStyle = 0
}
