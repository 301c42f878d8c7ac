import CurlTransport
import HTTPTypes

/// What an archive keeps of a response beside its body.
struct ArchivedResponse: Sendable {
    let job: FetchJob
    /// The last request, after redirects.
    let request: HTTPRequest
    let head: ResponseHead
    /// When the response began: microseconds since 1970.
    let moment: Int64

    var url: String { request.url ?? job.target.url }
}
