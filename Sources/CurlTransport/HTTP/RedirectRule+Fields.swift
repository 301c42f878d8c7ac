internal import HTTPSemantics
package import HTTPTypes

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
