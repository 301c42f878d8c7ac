internal import CurlNetworking
internal import Foundation
internal import Testing

/// Responses as a server would send them.
enum Responses {
    static let url = "http://127.0.0.1/thing"

    /// - Parameter type: The `Content-Type`, or `nil` for none.
    static func http(
        _ status: Int = 200,
        type: String? = "application/json",
        headers: [String: String] = [:]
    ) throws -> HTTPURLResponse {
        var fields = headers
        fields["Content-Type"] = type
        let url = try #require(URL(string: url))
        return try #require(
            HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: "HTTP/1.1",
                headerFields: fields
            )
        )
    }
}

/// The result of serializing a response.
struct Serialized {
    let object: (any Sendable)?
    let error: (any Error)?

    init(_ serializer: any URLResponseSerialization, _ response: URLResponse?, _ data: Data?) {
        var error: (any Error)?
        object = serializer.responseObject(for: response, data: data, error: &error)
        self.error = error
    }

    init(_ serializer: any URLResponseSerialization, _ response: URLResponse?, _ text: String) {
        self.init(serializer, response, Data(text.utf8))
    }

    var nsError: NSError? { error.map { $0 as NSError } }

    /// Domain and code of each error, from the outermost to the innermost.
    var chain: [String] {
        var chain: [String] = []
        var next = nsError
        while let current = next {
            chain.append("\(current.domain) \(current.code)")
            next = current.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return chain
    }
}
