internal import CurlTransport
internal import Foundation
internal import HTTPTypes

extension SessionCore {
    /// What connects a stream task.
    ///
    /// - Parameter timeLimit: How long it may last; `nil` for as long as it likes.
    /// - Throws: What is wrong with the options.
    func streamRequest(
        for plan: LoadPlan,
        _ stream: TaskStream,
        timeLimit: Duration?,
        asksForTrust: Bool
    ) throws(TransportError) -> ByteConnectionRequest {
        // In the form in which options are chosen.
        let outgoing = HTTPRequest(
            method: .get,
            scheme: stream.isSecure ? "https" : "http",
            authority: "\(stream.host):\(stream.port)",
            path: "/"
        )
        var request = ByteConnectionRequest(
            authority: outgoing.authority ?? "",
            isSecure: stream.isSecure,
            options: try options(for: plan, outgoing, asksForTrust: asksForTrust)
        )
        request.timeLimit = timeLimit
        return request
    }
}
