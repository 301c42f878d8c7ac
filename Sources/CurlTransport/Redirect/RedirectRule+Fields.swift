internal import HTTPTypes

extension RedirectRule {
    /// Changes the method as the status demands. True if the body is to be sent again; if not, the
    /// fields that describe it are taken out.
    static func changeMethod(of request: inout HTTPRequest, statusCode: Int) -> Bool {
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

    /// Takes out what was meant for the origin that redirects.
    static func removeCredentials(from request: inout HTTPRequest, policy: RedirectPolicy) {
        request.headerFields.removeAll { field in
            names.contains(field.name.canonicalName)
                || policy.credentialFields.contains(field.name)
        }
    }

    private static let names: Set<String> = [
        "authorization", "cookie", "cookie2", "host", "origin", "proxy-authorization",
    ]

    private static func describesContent(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return name.hasPrefix("content-") || name == "transfer-encoding" || name == "expect"
            || name == "trailer"
    }
}
