internal import CurlTransport
public import HTTPTypes

/// A request and its answer in a recording, without secrets.
public struct RecordedExchange: Sendable {
    /// The number of requests of the recording that were sent before.
    public let number: Int

    /// The method.
    public let method: HTTPRequest.Method

    /// The URL.
    public let url: String

    /// The request's content.
    public let body: [UInt8]

    /// The status of the response; nil if the request failed before it.
    public var statusCode: Int? { response?.status.code }

    let requestFields: [(name: String, value: String)]
    let response: Response?
    let failure: Failure?

    struct Response: Sendable {
        var status: HTTPResponse.Status
        var httpVersion: String
        var fields: [(name: String, value: String)]
        var body: [UInt8]
        var trailers: [(name: String, value: String)]?
    }

    struct Failure: Sendable {
        var code: TransportError.Code
        var phase: TransportError.Phase
        var retry: TransportError.Retry
        var message: String
    }

    /// Which exchanges may answer a request.
    struct Key: Sendable, Hashable {
        let method: String
        let url: String
        let body: [UInt8]
    }

    func key(comparesBodies: Bool) -> Key {
        Key(method: method.rawValue, url: url, body: comparesBodies ? body : [])
    }
}

// The form in the file: one object on a line.

extension RecordedExchange {
    var json: JSONValue {
        .members([
            ("number", .number(String(number))),
            (
                "request",
                .members([
                    ("method", .string(method.rawValue)), ("url", .string(url)),
                    ("fields", Self.json(requestFields)), ("body", Self.json(body)),
                ])
            ),
            (
                "response",
                response.map { response in
                    .members([
                        ("status", .number(String(response.status.code))),
                        ("reason", .string(response.status.reasonPhrase)),
                        ("version", .string(response.httpVersion)),
                        ("fields", Self.json(response.fields)),
                        ("body", Self.json(response.body)),
                        ("trailers", response.trailers.map { Self.json($0) }),
                    ])
                }
            ),
            (
                "error",
                failure.map { failure in
                    .members([
                        ("code", .string(failure.code.description)),
                        ("phase", .string(failure.phase.description)),
                        ("retry", .string(Self.name(of: failure.retry))),
                        ("message", .string(failure.message)),
                    ])
                }
            ),
        ])
    }

    private static func json(_ fields: [(name: String, value: String)]) -> JSONValue {
        .array(fields.map { .array([.string($0.name), .string($0.value)]) })
    }

    /// Text if the bytes are UTF-8, otherwise Base64; nil for none.
    private static func json(_ bytes: [UInt8]) -> JSONValue? {
        guard !bytes.isEmpty else { return nil }
        if let text = String(validating: bytes, as: UTF8.self) {
            return .members([("text", .string(text))])
        }
        return .members([("base64", .string(Base64.encode(bytes)))])
    }

    private static func name(of retry: TransportError.Retry) -> String {
        switch retry {
        case .never: "never"
        case .idempotentOnly: "idempotentOnly"
        case .always: "always"
        }
    }
}

extension RecordedExchange {
    /// Why a line is no exchange.
    struct Malformed: Error {
        let reason: String
    }

    /// Reads an exchange from a line.
    init(_ json: JSONValue) throws(Malformed) {
        guard let number = json["number"]?.int, let request = json["request"] else {
            throw Malformed(reason: "“number” or “request” is missing")
        }
        guard let name = request["method"]?.string, let method = HTTPRequest.Method(name),
            let url = request["url"]?.string
        else { throw Malformed(reason: "the request has no valid “method” and “url”") }
        self.number = number
        self.method = method
        self.url = url
        requestFields = try Self.fields(request["fields"])
        body = try Self.body(request["body"])
        response = try json["response"].map { value throws(Malformed) in try Response(value) }
        failure = try json["error"].map { value throws(Malformed) in try Failure(value) }
        guard response != nil || failure != nil else {
            throw Malformed(reason: "both “response” and “error” are missing")
        }
    }

    fileprivate static func fields(
        _ json: JSONValue?
    ) throws(Malformed) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        guard let json else { return fields }
        for field in json.array ?? [.null] {
            guard let pair = field.array, pair.count == 2, let name = pair[0].string,
                let value = pair[1].string, HTTPField.Name(name) != nil
            else { throw Malformed(reason: "“fields” isn't a list of names and values") }
            fields.append((name, value))
        }
        return fields
    }

    fileprivate static func body(_ json: JSONValue?) throws(Malformed) -> [UInt8] {
        guard let json else { return [] }
        if let text = json["text"]?.string { return Array(text.utf8) }
        if let text = json["base64"]?.string, let bytes = Base64.decode(text) { return bytes }
        throw Malformed(reason: "a “body” has neither “text” nor valid “base64”")
    }
}

extension RecordedExchange.Response {
    fileprivate init(_ json: JSONValue) throws(RecordedExchange.Malformed) {
        guard let code = json["status"]?.int, (100...999).contains(code) else {
            throw RecordedExchange.Malformed(reason: "the response has no valid “status”")
        }
        status = HTTPResponse.Status(code: code, reasonPhrase: json["reason"]?.string ?? "")
        httpVersion = json["version"]?.string ?? "1.1"
        fields = try RecordedExchange.fields(json["fields"])
        body = try RecordedExchange.body(json["body"])
        trailers = json["trailers"] == nil ? nil : try RecordedExchange.fields(json["trailers"])
    }
}

extension RecordedExchange.Failure {
    fileprivate init(_ json: JSONValue) throws(RecordedExchange.Malformed) {
        guard let code = json["code"]?.string.flatMap({ TransportError.Code(named: $0) }) else {
            throw RecordedExchange.Malformed(reason: "the error has no known “code”")
        }
        self.code = code
        phase = json["phase"]?.string.flatMap { TransportError.Phase(named: $0) } ?? .done
        retry =
            switch json["retry"]?.string {
            case "always": .always
            case "idempotentOnly": .idempotentOnly
            default: .never
            }
        message = json["message"]?.string ?? "the recorded request failed with \(code)."
    }
}

extension HTTPFields {
    /// Fields from recorded names and values.
    init(recorded fields: [(name: String, value: String)]) {
        self.init()
        for field in fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            append(HTTPField(name: name, value: field.value))
        }
    }
}
