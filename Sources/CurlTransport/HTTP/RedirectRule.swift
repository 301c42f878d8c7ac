internal import Curl
internal import HTTPSemantics
package import HTTPTypes
internal import Posix

/// Decides how to handle a redirecting response. A pure function.
///
/// Source: RFC 9110, sections 15.4 and 10.2.2; RFC 3986, section 5.
package enum RedirectRule {
    /// The handling of a response.
    package enum Outcome: Sendable, Hashable {
        /// The caller gets it as the response.
        case deliver
        /// It is a redirect that is followed.
        case follow(Redirect)
        /// It is a redirect that must not be followed.
        case fail(TransportError)
    }

    /// Decides how to handle the response to `request`, from its head.
    ///
    /// - Parameters:
    ///   - count: The number of redirects that were followed before.
    package static func decide(
        on head: ResponseHead,
        request: HTTPRequest,
        count: Int,
        policy: RedirectPolicy
    ) -> Outcome {
        guard redirects(head.statusCode) else { return .deliver }
        return decide(
            statusCode: head.statusCode,
            location: head.firstValueBytes(of: .location),
            request: request,
            count: count,
            policy: policy
        )
    }

    /// The same decision, from the relevant parts of a head.
    package static func decide(
        statusCode: Int,
        location: [UInt8]?,
        request: HTTPRequest,
        count: Int,
        policy: RedirectPolicy
    ) -> Outcome {
        guard redirects(statusCode), policy.mode != .refuse, let location, !location.isEmpty
        else { return .deliver }
        let url = request.url
        guard count < policy.limit else {
            return .fail(.tooManyRedirects(limit: max(0, policy.limit), url: url))
        }
        do throws(TransportError) {
            return .follow(
                try follow(
                    statusCode: statusCode,
                    location: location,
                    request: request,
                    count: count + 1,
                    policy: policy
                )
            )
        } catch {
            return .fail(error)
        }
    }

    /// 300 lets the user choose, 304 concerns caches, 305 and 306 are obsolete.
    private static func redirects(_ statusCode: Int) -> Bool {
        switch statusCode {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    private static func follow(
        statusCode: Int,
        location: [UInt8],
        request: HTTPRequest,
        count: Int,
        policy: RedirectPolicy
    ) throws(TransportError) -> Redirect {
        let (target, isSameOrigin) = try resolve(location, of: request, policy: policy)
        var next = request
        next.scheme = target.scheme
        next.authority = target.authority
        next.path = target.path
        let keepsBody = changeMethod(of: &next, statusCode: statusCode)
        if !isSameOrigin { removeCredentials(from: &next, policy: policy) }
        return Redirect(
            to: next,
            statusCode: statusCode,
            location: target.url,
            keepsBody: keepsBody,
            dropsCredentials: !isSameOrigin,
            count: count
        )
    }

    // MARK: The target

    private struct Target {
        let scheme: String
        let authority: String
        let path: String
        let url: String
    }

    private static func resolve(
        _ location: [UInt8],
        of request: HTTPRequest,
        policy: RedirectPolicy
    ) throws(TransportError) -> (target: Target, isSameOrigin: Bool) {
        let current = request.url ?? ""
        let target: Target
        let isSameOrigin: Bool
        let currentScheme: String
        do throws(CurlURL.Failure) {
            let base = try CurlURL(parsing: current)
            let url = try CurlURL(parsing: location, relativeTo: base)
            currentScheme = base.scheme
            isSameOrigin = url.hasSameOrigin(as: base)
            target = Target(
                scheme: url.scheme,
                authority: url.authority,
                path: url.pathAndQuery,
                url: url.string
            )
        } catch {
            throw unfollowable(error, url: current)
        }
        if let reason = refusal(from: currentScheme, to: target.scheme, policy: policy) {
            throw .redirectForbidden(reason, url: current)
        }
        return (target, isSameOrigin)
    }

    private static func unfollowable(_ error: CurlURL.Failure, url: String) -> TransportError {
        error.reason == .unsupportedScheme
            ? .redirectForbidden("it leads to a scheme that is neither http nor https", url: url)
            : .invalidResponse(
                "the response redirects, and its Location can't be followed: \(error.message)",
                url: url
            )
    }

    private static func refusal(
        from current: String,
        to next: String,
        policy: RedirectPolicy
    ) -> String? {
        guard next == "http" || next == "https" else {
            return "it leads to the scheme \(next), and only http and https are followed"
        }
        guard current != "https" || next == "https" || policy.allowsDowngrade else {
            return "it leads from https to http"
        }
        return nil
    }
}

extension RedirectRule {
    /// Changes the method as the status requires.
    ///
    /// Returns whether the body must be sent again. If not, the fields that describe it are
    /// removed.
    package static func changeMethod(of request: inout HTTPRequest, statusCode: Int) -> Bool {
        switch statusCode {
        case 303:
            if request.method != .head { request.method = .get }
        case 301, 302:
            guard request.method == .post else { return true }
            request.method = .get
        default:
            return true
        }
        request.headerFields.removeAll { describesContent($0.name) }
        return false
    }

    /// Removes fields that only the redirecting origin may receive.
    static func removeCredentials(from request: inout HTTPRequest, policy: RedirectPolicy) {
        request.headerFields.removeAll { field in
            let name = field.name.canonicalName
            return name == "host" || name == "origin" || SensitiveFields.contain(name)
                || policy.credentialFields.contains(field.name)
        }
    }

    private static func describesContent(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return name.hasPrefix("content-") || name == "transfer-encoding" || name == "expect"
            || name == "trailer"
    }
}
