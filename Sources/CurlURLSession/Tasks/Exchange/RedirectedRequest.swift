internal import CurlTransport
internal import Foundation
internal import HTTPSemantics
internal import HTTPTypes

/// Builds the `URLRequest` that a redirect leads to.
enum RedirectedRequest {
    /// The redirect policy of all sessions. The delegate is asked separately.
    static let policy = RedirectPolicy(mode: .follow, limit: 20)

    /// Whether a header field is meant for one origin only.
    static func isCredential(_ name: String) -> Bool {
        SensitiveFields.contain(name) || name.equalsIgnoringASCIICase("host")
            || name.equalsIgnoringASCIICase("origin")
    }

    /// Removes header fields that an interceptor added from a request to another origin.
    ///
    /// Fields that were changed since then stay, and so do those that describe the body.
    static func removeAdaptedFields(
        from request: inout URLRequest,
        after loadRequest: LoadRequest?
    ) {
        guard let loadRequest, let names = loadRequest.adaptedFields,
            let fields = request.state.headerFields
        else { return }
        let former = loadRequest.request.state.headerFields
        let kept = fields.lines.filter { line in
            !names.contains { $0.equalsIgnoringASCIICase(line.name) }
                || former?[line.name] != line.value
        }
        request.state.headerFields = RequestHeaderFields(kept)
    }

    /// Whether both requests' URLs have the same origin. A missing URL has none.
    static func isSameOrigin(_ first: URL?, _ second: URL?) -> Bool {
        guard let first, let second else { return false }
        return first.isSameOrigin(as: second)
    }

    /// Applies a redirect to `request`. Returns `nil` if Foundation can't parse the location.
    ///
    /// - Parameter location: The bytes of the `Location` field. Needed for the fragment, which the
    ///   transport doesn't handle.
    static func make(
        of request: URLRequest,
        by redirect: Redirect,
        location: [UInt8]?
    ) -> URLRequest? {
        guard let url = URL(string: redirect.location) else { return nil }
        var next = request
        let fragment = fragment(of: location ?? []) ?? request.url?.fragment(percentEncoded: true)
        next.url = fragment.flatMap { URL(string: "\(redirect.location)#\($0)") } ?? url
        change(
            &next,
            as: redirect.request,
            RedirectEffects(
                leavesOrigin: redirect.dropsCredentials,
                keepsBody: redirect.keepsBody
            )
        )
        return next
    }

    /// Applies a redirect to a scheme that is neither `http` nor `https`. Returns `nil` for other
    /// locations.
    ///
    /// The fragment of the previous URL isn't kept: it belongs to a page.
    ///
    /// - Parameter httpRequest: `request` in the transport's form.
    static func leavingHTTP(
        from request: URLRequest,
        _ httpRequest: HTTPRequest,
        statusCode: Int,
        location: [UInt8]?
    ) -> (request: URLRequest, effects: RedirectEffects)? {
        guard let location, let url = URL(string: String(decoding: location, as: UTF8.self)),
            let scheme = url.scheme?.lowercased(), scheme != "http", scheme != "https"
        else { return nil }
        var httpRequest = httpRequest
        let keepsBody = RedirectRule.changeMethod(of: &httpRequest, statusCode: statusCode)
        let effects = RedirectEffects(leavesOrigin: true, keepsBody: keepsBody, leavesHTTP: true)
        var next = request
        next.url = url
        change(&next, as: httpRequest, effects)
        return (next, effects)
    }

    /// Gives a request the method and the fields of the transport's next request. Removes what it
    /// must not have.
    private static func change(
        _ request: inout URLRequest,
        as httpRequest: HTTPRequest,
        _ effects: RedirectEffects
    ) {
        request.httpMethod = httpRequest.method.rawValue
        if !effects.keepsBody { request.httpBody = nil }
        guard let fields = request.state.headerFields else { return }
        let kept = fields.lines.filter { line in
            guard !effects.leavesOrigin || !isCredential(line.name) else { return false }
            return isFramed(line.name)
                ? effects.keepsBody
                : HTTPField.Name(line.name).map { httpRequest.headerFields.contains($0) } ?? false
        }
        request.state.headerFields = RequestHeaderFields(kept)
    }

    /// Returns the part after the first number sign. Without one, the fragment of the previous URL
    /// is kept (RFC 9110, 10.2.2).
    private static func fragment(of location: [UInt8]) -> String? {
        guard let sign = location.firstIndex(of: UInt8(ascii: "#")) else { return nil }
        let allowed = CharacterSet.urlFragmentAllowed.union(["%"])
        return String(decoding: location[sign...].dropFirst(), as: UTF8.self)
            .addingPercentEncoding(withAllowedCharacters: allowed)
    }

    /// Whether the field frames the body.
    ///
    /// The transport usually sets such fields itself, so its request doesn't show whether to keep
    /// them.
    private static func isFramed(_ name: String) -> Bool {
        name.equalsIgnoringASCIICase("Content-Length")
            || name.equalsIgnoringASCIICase("Transfer-Encoding")
    }
}
