import CurlURLSession
import Foundation

extension Request {
    /// A curl command that sends the same request, with its credentials and cookies.
    func cURLDescription() -> String {
        guard let urlRequest, let url = urlRequest.url, let host = url.host else { return "curl" }
        let configuration = session.urlSession.configuration
        var words = ["curl", "-X", urlRequest.httpMethod ?? "GET"]
        let space = URLProtectionSpace(
            host: host,
            port: url.port ?? 0,
            protocol: url.scheme,
            realm: host,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        let stored = configuration.urlCredentialStorage?.credentials(for: space)?.values.first
        if let used = stored ?? credential, let user = used.user, let password = used.password {
            words += ["-u", quoted("\(user):\(password)")]
        }
        if configuration.httpShouldSetCookies,
            let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
        {
            let pairs = cookies.map { "\($0.name)=\($0.value)" }
            words += ["-b", quoted(pairs.joined(separator: "; "))]
        }
        var headers = configuration.headers
        for (name, value) in urlRequest.headers.fields { headers[name] = value }
        for (name, value) in headers.fields where name != "Cookie" {
            words += ["-H", quoted("\(name): \(value)")]
        }
        if let body = urlRequest.httpBody {
            words += ["-d", quoted(String(decoding: body, as: UTF8.self))]
        }
        return (words + [quoted(url.absoluteString)]).joined(separator: " ")
    }

    private func quoted(_ text: String) -> String {
        "'\(text.replacingOccurrences(of: "'", with: #"'\''"#))'"
    }
}
