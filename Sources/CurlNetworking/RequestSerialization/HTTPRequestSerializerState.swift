internal import CurlURLSession
internal import Foundation

/// The whole configuration of an ``HTTPRequestSerializer``.
struct HTTPRequestSerializerState: Sendable {
    typealias QueryBlock = @Sendable (URLRequest, Any) throws -> String?

    var headers: HTTPHeaders {
        didSet { preparedFields = Self.prepared(headers) }
    }
    /// The default headers as they are added to requests.
    var preparedFields: PreparedHeaderFields
    var options = RequestOptions()
    var stringEncoding = String.Encoding.utf8
    var methodsEncodingParametersInURI: Set<HTTPMethod> = [.get, .head, .delete]
    var style = HTTPRequestQueryStringSerializationStyle.defaultStyle
    var queryBlock: QueryBlock?
    var arrayEncoding = ArrayEncoding.brackets
    var boolEncoding = BoolEncoding.numeric
    var formEncoder: URLEncodedFormEncoder?

    init() {
        headers = [.defaultAcceptLanguage, .defaultUserAgent]
        preparedFields = Self.prepared(headers)
    }

    static func prepared(_ headers: HTTPHeaders) -> PreparedHeaderFields {
        var fields = PreparedHeaderFields()
        for header in headers { fields.append(name: header.name, value: header.value) }
        return fields
    }

    var pairStyle: QueryStringPair.Style {
        QueryStringPair.Style(arrayEncoding: arrayEncoding, boolEncoding: boolEncoding)
    }

    /// The form encoder, or a default one.
    ///
    /// The default one has the serializer's array and Boolean encodings.
    var encoder: URLEncodedFormEncoder {
        if let formEncoder { return formEncoder }
        var encoder = URLEncodedFormEncoder()
        encoder.arrayEncoding = arrayEncoding
        encoder.boolEncoding = boolEncoding
        return encoder
    }

    /// Writes parameters as a query; empty for `nil`.
    func query(of parameters: Any?, for request: URLRequest) throws -> String {
        guard let parameters else { return "" }
        if let queryBlock { return try queryBlock(request, parameters) ?? "" }
        return QueryString.joined(try QueryStringPair.pairs(of: parameters, pairStyle))
    }

    func encodesInURI(_ request: URLRequest) -> Bool {
        let method = (request.httpMethod ?? "GET").uppercased()
        return methodsEncodingParametersInURI.contains(HTTPMethod(method))
    }

    /// Adds the default headers. The request's own fields stay unchanged.
    ///
    /// - Throws: An error that names a header whose value can't be sent.
    func addHeaders(to request: inout URLRequest) throws {
        if preparedFields.invalidName == nil {
            return request.complete(with: preparedFields)
        }
        // An own field of the request may replace the one that can't be sent.
        for header in headers where request.value(forHTTPHeaderField: header.name) == nil {
            try request.set(header)
        }
    }

    /// Adds a query to the URL or body, depending on the method.
    func put(_ query: String, into request: inout URLRequest) throws {
        guard encodesInURI(request) else {
            guard let body = query.data(using: stringEncoding) else {
                throw URLRequestSerializationError.invalidParameters(
                    "The query can't be written in the serializer's string encoding."
                )
            }
            request.httpBody = body
            request.setContentType("application/x-www-form-urlencoded")
            return
        }
        guard !query.isEmpty, let url = request.url else { return }
        guard let complete = url.appending(query: query) else {
            throw URLRequestSerializationError.invalidURL(url.absoluteString)
        }
        request.url = complete
    }
}

extension URLRequest {
    /// Sets a header field.
    ///
    /// - Throws: An error for a value that `setValue(_:forHTTPHeaderField:)` would ignore.
    mutating func set(_ header: HTTPHeader) throws {
        guard setValueIfValid(header.value, for: header.name) else {
            throw URLRequestSerializationError.invalidParameters(
                "The value of the header field \(header.name) contains a NUL or a line break."
            )
        }
    }

    /// Sets the media type of the body, unless there is one.
    mutating func setContentType(_ type: String) {
        guard value(forHTTPHeaderField: "Content-Type") == nil else { return }
        setValue(type, forHTTPHeaderField: "Content-Type")
    }
}

extension URL {
    /// Appends to the URL's query, before its fragment.
    fileprivate func appending(query: String) -> URL? {
        let text = absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let separator = text[..<end].contains("?") ? "&" : "?"
        return URL(string: "\(text[..<end])\(separator)\(query)\(text[end...])")
    }
}
