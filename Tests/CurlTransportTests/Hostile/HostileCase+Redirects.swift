internal import CurlTransport
internal import TestSupport

extension HostileCase {
    static let redirects: [HostileCase] = [
        HostileCase(
            "a redirect to itself",
            replies: { _ in .redirect(to: "/") },
            .tooManyRedirects
        ),
        HostileCase(
            "a redirect that is longer each time",
            replies: { .redirect(to: "/x" + $0.target) },
            .tooManyRedirects
        ),
        HostileCase(
            "a redirect to ftp",
            replies: { _ in .redirect(to: "ftp://127.0.0.1/") },
            .redirectForbidden
        ),
        HostileCase(
            "a redirect to a file",
            replies: { _ in .redirect(to: "file:///etc/passwd") },
            .redirectForbidden
        ),
        HostileCase(
            "a redirect to a script",
            replies: { _ in .redirect(to: "javascript:alert(1)") },
            .redirectForbidden
        ),
        HostileCase(
            "a redirect to no host",
            replies: { _ in .redirect(to: "http://") },
            .invalidResponse
        ),
        HostileCase(
            "a redirect to a host of 95,000 characters",
            replies: { _ in .redirect(to: "http://" + String(repeating: "a", count: 95_000)) },
            .invalidResponse
        ),
        HostileCase(
            "a redirect to half an address",
            replies: { _ in .redirect(to: "http://[::1") },
            .invalidResponse
        ),
        HostileCase(
            "a redirect to a port out of range",
            replies: { _ in .redirect(to: "http://127.0.0.1:99999/") },
            .invalidResponse
        ),
        HostileCase(
            "a redirect to control characters, which are encoded",
            replies: {
                $0.target == "/%01%02" ? .text("ok") : .redirect(to: "/\u{1}\u{2}")
            },
            succeeds: 200,
            "ok"
        ),
        HostileCase(
            "a redirect to a Location of 1 MB",
            head("Location: /", status: "HTTP/1.1 302 Found") + [
                .sendRepeating("a", times: 1 << 20), .send("\r\n\r\n"),
            ],
            .responseHeadTooLarge
        ),
        HostileCase(
            "a redirect to a Location of 90 KB, and so on",
            replies: { _ in .redirect(to: "/" + String(repeating: "a", count: 90_000)) },
            .tooManyRedirects
        ),
        HostileCase(
            "a redirect whose body never ends",
            replies: {
                $0.target == "/"
                    ? .steps([
                        .send("HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\n"),
                        .sendRepeating("a", times: nil),
                    ])
                    : .status(404)
            },
            succeeds: 404
        ),
        HostileCase("a redirect without Location", replies: { _ in .status(302) }, succeeds: 302),
    ]

    init(
        _ name: String,
        replies: @escaping @Sendable (RecordedRequest) -> Reply,
        succeeds status: Int,
        _ body: String = ""
    ) {
        self.name = name
        server = .replies(replies)
        ending = .success(status: status, body: body)
    }
}
