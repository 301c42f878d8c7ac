package import HTTPTypes
package import NIOCore

/// A request that a client of the gateway has sent, as the upstream should get it.
package struct ForwardedRequest: Sendable {
    package let method: HTTPRequest.Method
    /// The path and the query after the upstream's name. It begins with a slash.
    package let path: String
    package let fields: HTTPFields
    /// Nil for no content.
    package let body: UploadBody?
    package let deadline: ContinuousClock.Instant
}

/// A response of an upstream, whose content is still to be read.
package struct ForwardedResponse: Sendable {
    package typealias Write = (ByteBuffer) async throws -> Void

    package let status: HTTPResponse.Status
    package let fields: HTTPFields
    /// Reads the content in the caller's task, part by part, and returns the trailer fields.
    package let read: @Sendable (_ write: Write) async throws -> HTTPFields?

    package init(
        status: HTTPResponse.Status,
        fields: HTTPFields,
        read: @escaping @Sendable (_ write: Write) async throws -> HTTPFields?
    ) {
        self.status = status
        self.fields = fields
        self.read = read
    }
}

/// The client behind a gateway.
package protocol Forwarding: Sendable {
    /// Sends a request to an upstream, and returns when the head of the response has arrived.
    func forward(
        _ request: ForwardedRequest,
        to upstream: Upstream
    ) async throws(GatewayFailure) -> ForwardedResponse

    /// The origins to which no requests are sent at the moment.
    var unavailable: Set<String> { get }
}
