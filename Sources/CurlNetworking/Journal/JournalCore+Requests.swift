internal import CurlURLSession
internal import Foundation

// What is sent for a job.

extension JournalCore {
    /// The request for a job, or for the rest of a download.
    ///
    /// - Parameter original: The request as it was given, where that has more than what is stored.
    func request(
        for job: TransferJob,
        _ original: URLRequest?,
        asking rest: DownloadDecision.Rest?
    ) async throws -> PreparedRequest {
        var request = original ?? StorableRequest.request(for: job)
        if original == nil, let manager = manager as? HTTPSessionManager,
            let base = manager.baseURL, Self.isSameOrigin(job.url, base)
        {
            for name in job.omittedHeaderFields {
                let value = manager.requestSerializer.value(forHTTPHeaderField: name)
                if let value { request.setValue(value, forHTTPHeaderField: name) }
            }
        }
        if let prepare = configuration.requestPreparation {
            request = try await prepare(request, job)
        }
        var prepared = PreparedRequest(request, fields: job.httpHeaderFields)
        if job.kind == .download { prepared.change { Self.ask(for: rest, in: &$0) } }
        return prepared
    }

    private static func ask(for rest: DownloadDecision.Rest?, in request: inout URLRequest) {
        request.cachePolicy = .reloadIgnoringLocalCacheData
        // Of coded content, the bytes couldn't be counted.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        guard let rest else { return }
        request.setValue("bytes=\(rest.offset)-", forHTTPHeaderField: "Range")
        request.setValue(rest.validator, forHTTPHeaderField: "If-Range")
    }

    /// Whether both URLs have the same scheme, host and port (RFC 6454, 4): what one server may be told isn't
    /// told another.
    static func isSameOrigin(_ url: URL, _ other: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased() else {
            return false
        }
        let usual = scheme == "https" ? 443 : 80
        return scheme == other.scheme?.lowercased() && host == other.host?.lowercased()
            && url.port ?? usual == other.port ?? usual
    }
}
