internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Why the gateway has no response of an upstream. Clients get it as JSON.
package struct GatewayFailure: Error, Encodable {
    /// The status of the response: 400, 404, 502, 503 or 504.
    package let status: Int
    /// A name without data, such as `connectRefused`.
    package let code: String
    /// How far the request had come, such as `tls`; nil if that isn't known.
    package var phase: String?
    /// Nil if there is none.
    package var upstream: String?
    /// What was wrong, for people.
    package let message: String

    package init(
        _ status: Int,
        _ code: String,
        phase: String? = nil,
        upstream: String? = nil,
        message: String
    ) {
        self.status = status
        self.code = code
        self.phase = phase
        self.upstream = upstream
        self.message = message
    }

    var response: Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = (try? encoder.encode(["error": self])) ?? Data("{}".utf8)
        var headers: HTTPFields = [.contentType: "application/json"]
        if status == 503 { headers[.retryAfter] = "1" }
        return Response(
            status: HTTPResponse.Status(code: status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body + Data("\n".utf8)))
        )
    }
}
