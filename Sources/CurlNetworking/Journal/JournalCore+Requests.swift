internal import CurlURLSession
internal import Foundation
internal import HTTPSemantics

// The requests of jobs.

extension JournalCore {
    /// Creates the request for a job or for a download's missing part.
    ///
    /// - Parameter original: The caller's request, if it has more than what is stored; otherwise
    ///   `nil`.
    func request(
        for job: TransferJob,
        _ original: URLRequest?,
        asking rest: RangeRequest?
    ) async throws -> PreparedRequest {
        var request = original ?? job.request.urlRequest
        // Secrets for the manager's server aren't sent to another.
        if original == nil, let manager = manager as? HTTPSessionManager,
            let base = manager.baseURL, job.url.isSameOrigin(as: base)
        {
            for name in job.omittedHeaderFields {
                let value = manager.requestSerializer.value(forHTTPHeaderField: name)
                if let value { try request.set(HTTPHeader(name: name, value: value)) }
            }
        }
        if let prepare = configuration.requestPreparation {
            request = try await prepare(request, job)
        }
        var prepared = PreparedRequest(request, fields: job.httpHeaderFields)
        if job.kind == .download { prepared.change { Self.ask(for: rest, in: &$0) } }
        return prepared
    }

    private static func ask(for rest: RangeRequest?, in request: inout URLRequest) {
        request.cachePolicy = .reloadIgnoringLocalCacheData
        // Bytes of encoded content couldn't be counted.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        for field in rest?.fields ?? [] {
            request.setValue(field.value, forHTTPHeaderField: field.name)
        }
    }
}
