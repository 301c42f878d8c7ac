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
    ) async throws -> URLRequest {
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
        guard job.kind == .download else { return request }
        request.cachePolicy = .reloadIgnoringLocalCacheData
        // Of coded content, the bytes couldn't be counted.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        if let rest {
            request.setValue("bytes=\(rest.offset)-", forHTTPHeaderField: "Range")
            request.setValue(rest.validator, forHTTPHeaderField: "If-Range")
        }
        return request
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
