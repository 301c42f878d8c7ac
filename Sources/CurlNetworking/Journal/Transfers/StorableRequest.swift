internal import CurlURLSession
internal import Foundation

/// What of a request is written down.
struct StorableRequest: Sendable {
    let url: URL
    let method: String
    let fields: [String: String]
    /// The names of the fields that are left out.
    let omitted: [String]
    let timeout: TimeInterval
}

extension StorableRequest {
    /// Of a request as it was given. `nil` where its URL isn't one of HTTP.
    init?(_ request: URLRequest, omitting names: Set<String>) {
        guard let url = request.url?.absoluteURL, let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https",
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        (components.user, components.password) = (nil, nil)
        guard let plain = components.url else { return nil }
        let secret = Set(names.map { $0.lowercased() })
        let all = request.allHTTPHeaderFields ?? [:]
        self.url = plain
        method = request.httpMethod ?? "GET"
        fields = all.filter { !secret.contains($0.key.lowercased()) }
        omitted = all.keys.filter { secret.contains($0.lowercased()) }.sorted()
        timeout = request.timeoutInterval
    }

    /// The request without what was left out.
    static func request(for job: TransferJob) -> URLRequest {
        var request = URLRequest(url: job.url, timeoutInterval: job.timeoutInterval)
        request.httpMethod = job.httpMethod
        for (name, value) in job.httpHeaderFields {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }
}
