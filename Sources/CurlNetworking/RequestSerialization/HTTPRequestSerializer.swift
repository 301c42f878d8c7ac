public import CurlURLSession
public import Foundation
internal import Synchronization

/// Makes requests: with default headers, and with parameters as a query or as a form's body.
///
/// AFNetworking's `AFHTTPRequestSerializer`. Parameters of `GET`, `HEAD` and `DELETE` requests go into the
/// URL, those of others into the body as `application/x-www-form-urlencoded`; how they are written,
/// ``queryString(from:arrayEncoding:boolEncoding:)`` says. Every request has the headers `Accept-Language` and
/// `User-Agent` unless it has others of these names, or they were removed here.
///
/// A serializer may be used, and changed, from any thread. Each property is read while a request is made:
/// a request that is made while several are changed may have some of them.
///
/// It can be archived unless a query string block, a form encoder or a custom array encoding is set:
/// these are closures, and `encode(to:)` throws `EncodingError` rather than lose them.
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it. A class that others may inherit from can't say so
/// otherwise; whoever does answers for what he adds.
open class HTTPRequestSerializer: URLRequestSerialization, Codable, @unchecked Sendable {
    private let state = Mutex<HTTPRequestSerializerState>(HTTPRequestSerializerState())

    /// Creates a serializer with the default headers.
    public required init() {}

    /// Reads a serializer that was archived.
    public required init(from decoder: any Decoder) throws {
        let decoded = try HTTPRequestSerializerState(from: decoder)
        state.withLock { $0 = decoded }
    }

    /// Archives the serializer's configuration.
    ///
    /// - Throws: `EncodingError` where there is a closure in it.
    open func encode(to encoder: any Encoder) throws {
        try snapshot.encode(to: encoder)
    }

    /// Another serializer with all that this one has. A subclass that adds something copies it here.
    open func copy() -> Self {
        let copy = type(of: self).init()
        let state = snapshot
        copy.change { $0 = state }
        return copy
    }

    /// The whole configuration as it is now.
    final var snapshot: HTTPRequestSerializerState { state.withLock { $0 } }

    final func change(_ change: (inout HTTPRequestSerializerState) -> Void) {
        // What is replaced may be the last reference to something of the user's: it goes afterwards.
        _ = state.withLock { state in
            let former = state
            change(&state)
            return former
        }
    }

    // MARK: Headers

    /// The header fields of every request that doesn't have them itself.
    open var httpRequestHeaders: HTTPHeaders { snapshot.headers }

    /// Sets the value of a default header field, or removes it with `nil`. The case of letters in
    /// `field` doesn't matter.
    open func setValue(_ value: String?, forHTTPHeaderField field: String) {
        change { $0.headers[field] = value }
    }

    /// The value of a default header field; `nil` if there is none. The case of letters in `field`
    /// doesn't matter.
    open func value(forHTTPHeaderField field: String) -> String? {
        snapshot.headers[field]
    }

    // MARK: Encoding

    /// The encoding of bodies, and of multipart forms' texts. UTF-8 unless set. What is
    /// percent-encoded is so in UTF-8 always.
    open var stringEncoding: String.Encoding {
        get { snapshot.stringEncoding }
        set { change { $0.stringEncoding = newValue } }
    }

    /// The methods whose parameters go into the URL, in capital letters. `GET`, `HEAD` and `DELETE`
    /// unless set.
    open var httpMethodsEncodingParametersInURI: Set<HTTPMethod> {
        get { snapshot.methodsEncodingParametersInURI }
        set { change { $0.methodsEncodingParametersInURI = newValue } }
    }

    /// How elements of arrays are called. `brackets` unless set.
    open var arrayEncoding: ArrayEncoding {
        get { snapshot.arrayEncoding }
        set { change { $0.arrayEncoding = newValue } }
    }

    /// How truth values are written. `numeric` unless set.
    open var boolEncoding: BoolEncoding {
        get { snapshot.boolEncoding }
        set { change { $0.boolEncoding = newValue } }
    }

    /// What writes `Encodable` parameters; `nil`, unless set, for one that writes arrays and truth values
    /// as ``arrayEncoding`` and ``boolEncoding`` say.
    open var formEncoder: URLEncodedFormEncoder? {
        get { snapshot.formEncoder }
        set { change { $0.formEncoder = newValue } }
    }

    /// Has queries made in one of the ways that there are, and forgets the block that made them.
    open func setQueryStringSerialization(with style: HTTPRequestQueryStringSerializationStyle) {
        change { state in
            state.style = style
            state.queryBlock = nil
        }
    }

    /// Has queries made by a block, those of bodies too; `nil` for the usual way.
    ///
    /// - Parameter block: Is called on the thread that makes a request, with the request and its
    ///   parameters, unless there are none. An error that it throws is what making the request throws;
    ///   `nil` is an empty query.
    open func setQueryStringSerialization(
        _ block: (@Sendable (_ request: URLRequest, _ parameters: Any) throws -> String?)?
    ) {
        change { $0.queryBlock = block }
    }

    // MARK: Properties of requests

    /// The value of the property of requests that are made here; `nil`, unless set, to leave it alone.
    open var allowsCellularAccess: Bool? {
        get { snapshot.options.allowsCellularAccess }
        set { change { $0.options.allowsCellularAccess = newValue } }
    }

    /// The value of the property of requests that are made here; `nil`, unless set, to leave it alone.
    open var cachePolicy: URLRequest.CachePolicy? {
        get { snapshot.options.cachePolicy }
        set { change { $0.options.cachePolicy = newValue } }
    }

    /// The value of the property of requests that are made here; `nil`, unless set, to leave it alone.
    open var httpShouldHandleCookies: Bool? {
        get { snapshot.options.httpShouldHandleCookies }
        set { change { $0.options.httpShouldHandleCookies = newValue } }
    }

    /// The value of the property of requests that are made here; `nil`, unless set, to leave it alone.
    /// It changes nothing over HTTP/1.1.
    open var httpShouldUsePipelining: Bool? {
        get { snapshot.options.httpShouldUsePipelining }
        set { change { $0.options.httpShouldUsePipelining = newValue } }
    }

    /// The value of the property of requests that are made here; `nil`, unless set, to leave it alone.
    open var networkServiceType: URLRequest.NetworkServiceType? {
        get { snapshot.options.networkServiceType }
        set { change { $0.options.networkServiceType = newValue } }
    }

    /// The value of the property of requests that are made here, in seconds; `nil`, unless set, to
    /// leave it alone.
    open var timeoutInterval: TimeInterval? {
        get { snapshot.options.timeoutInterval }
        set { change { $0.options.timeoutInterval = newValue } }
    }

    // MARK: Making requests

    /// A request with parameters.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: An absolute URL.
    ///   - parameters: What is to be encoded, or `nil` for nothing.
    /// - Throws: An error of ``URLRequestSerializationErrorDomain``, or what the query string block throws.
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

    /// A copy of a request with the default headers that it lacks, and with parameters.
    ///
    /// The properties such as ``timeoutInterval`` aren't set: the request has its own.
    ///
    /// - Throws: An error of ``URLRequestSerializationErrorDomain``, or what the query string block throws.
    open func request(
        bySerializing request: URLRequest,
        withParameters parameters: Any?
    ) throws -> URLRequest {
        let state = snapshot
        var request = request
        state.addHeaders(to: &request)
        try state.put(state.query(of: parameters, for: request), into: &request)
        return request
    }

    /// A copy of a request with the default headers that it lacks, and with `Encodable` parameters, which
    /// ``formEncoder`` writes.
    ///
    /// - Throws: An error of ``URLRequestSerializationErrorDomain``, or what the parameters throw.
    open func request(
        bySerializing request: URLRequest,
        encoding parameters: some Encodable
    ) throws -> URLRequest {
        let state = snapshot
        var request = request
        state.addHeaders(to: &request)
        try state.put(state.encoder.encode(parameters), into: &request)
        return request
    }

    /// A request with a multipart form as its body, which is read while it is sent: files and streams
    /// are never in memory as a whole.
    ///
    /// The request has the form's exact length as `Content-Length`. The form is sent once more after a
    /// redirect or a challenge, unless a part is a stream. Without parameters and parts the request is
    /// the same as without a form.
    ///
    /// - Parameters:
    ///   - method: The method, which can't be `GET` or `HEAD`.
    ///   - urlString: An absolute URL.
    ///   - parameters: A dictionary whose values become parts, before those of `block`, in the order
    ///     and with the names of a query. Data goes into its part as it is.
    ///   - block: Appends parts. It is called before the method returns, on the same thread.
    /// - Throws: An error of ``URLRequestSerializationErrorDomain``, or what `block` throws.
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
