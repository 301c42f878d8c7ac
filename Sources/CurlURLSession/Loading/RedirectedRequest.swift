internal import CurlTransport
internal import Foundation
internal import HTTPTypes

/// The request that a redirect leads to, in the user's form.
enum RedirectedRequest {
    /// The policy of all sessions; the delegate is asked elsewhere.
    static let policy = RedirectPolicy(mode: .follow, limit: 20)

    /// Header fields that are meant for one origin alone.
    private static let credentials = SecretFields.names.union(["cookie2", "host", "origin"])

    static func isCredential(_ name: String) -> Bool {
        credentials.contains { $0.equalsIgnoringASCIICase(name) }
    }

    /// Takes out of a request that leaves an origin what an interceptor has put into the one before, as
    /// far as it is still the same. What describes the body stays with it.
    static func removeAdaptedFields(from request: inout URLRequest, after plan: LoadPlan?) {
        guard let plan, let names = plan.adaptedFields, let fields = request.state.headerFields
        else { return }
        let former = plan.request.state.headerFields
        let kept = fields.lines.filter { line in
            !names.contains { $0.equalsIgnoringASCIICase(line.name) }
                || former?[line.name] != line.value
        }
        request.state.headerFields = RequestHeaderFields(kept)
    }

    /// Whether scheme, host and port are the same (RFC 6454, 4).
    static func isSameOrigin(_ first: URL?, _ second: URL?) -> Bool {
        guard let first = first?.originText, let second = second?.originText else { return false }
        return first == second
    }

    /// `request`, changed as the engine's rule says; `nil` where Foundation can't read the location.
    ///
    /// - Parameter location: As the server wrote it: its fragment is the client's own, of which the
    ///   engine knows nothing.
    static func make(
        of request: URLRequest,
        by redirect: Redirect,
        location: [UInt8]?
    ) -> URLRequest? {
        guard let url = URL(string: redirect.location) else { return nil }
        var next = request
        let fragment = fragment(of: location ?? []) ?? request.url?.fragment(percentEncoded: true)
        next.url = fragment.flatMap { URL(string: "\(redirect.location)#\($0)") } ?? url
        next.httpMethod = redirect.request.method.rawValue
        if !redirect.keepsBody { next.httpBody = nil }
        guard let fields = request.state.headerFields else { return next }
        let kept = fields.lines.filter { line in
            guard !redirect.dropsCredentials || !isCredential(line.name) else { return false }
            return isFramed(line.name)
                ? redirect.keepsBody
                : HTTPField.Name(line.name).map { redirect.request.headerFields.contains($0) }
                    ?? false
        }
        next.state.headerFields = RequestHeaderFields(kept)
        return next
    }

    /// What is behind the first number sign. Without one, that of the URL before stays
    /// (RFC 9110, 10.2.2).
    private static func fragment(of location: [UInt8]) -> String? {
        guard let sign = location.firstIndex(of: UInt8(ascii: "#")) else { return nil }
        let allowed = CharacterSet.urlFragmentAllowed.union(["%"])
        return String(decoding: location[sign...].dropFirst(), as: UTF8.self)
            .addingPercentEncoding(withAllowedCharacters: allowed)
    }

    /// Such a field isn't among those that the engine is given.
    private static func isFramed(_ name: String) -> Bool {
        name.equalsIgnoringASCIICase("Content-Length")
            || name.equalsIgnoringASCIICase("Transfer-Encoding")
    }
}

extension URL {
    /// Scheme, host and port, in small letters; `nil` where there is no host.
    var originText: String? {
        guard let scheme = scheme?.lowercased(), let host = host()?.lowercased() else { return nil }
        return "\(scheme)://\(host):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
