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
    var traits = RequestTraits()
}

extension StorableRequest {
    /// Of a request as it was given. `nil` where its URL isn't one of HTTP.
    init?(_ request: URLRequest, omitting names: Set<String>) {
        guard let url = request.url?.absoluteURL, let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let plain = Self.withoutUser(url)
        else { return nil }
        let secret = Set(names.map { $0.lowercased() })
        let all = request.allHTTPHeaderFields ?? [:]
        self.url = plain
        method = request.httpMethod ?? "GET"
        fields = all.filter { !secret.contains($0.key.lowercased()) }
        omitted = all.keys.filter { secret.contains($0.lowercased()) }.sorted()
        timeout = request.timeoutInterval
        traits = RequestTraits(request)
    }

    /// A URL without user name and password; `nil` where it can't be taken apart.
    static func withoutUser(_ url: URL) -> URL? {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        (components.user, components.password) = (nil, nil)
        return components.url
    }

    /// The request without what was left out.
    static func request(for job: TransferJob) -> URLRequest {
        var request = URLRequest(url: job.url, timeoutInterval: job.timeoutInterval)
        request.httpMethod = job.httpMethod
        for (name, value) in job.httpHeaderFields {
            request.setValue(value, forHTTPHeaderField: name)
        }
        job.traits.apply(to: &request)
        return request
    }
}
