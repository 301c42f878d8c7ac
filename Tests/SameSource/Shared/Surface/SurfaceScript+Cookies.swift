import Foundation

extension SurfaceScript {
    static func cookies(_ stage: Stage) {
        let cookie = HTTPCookie(properties: [
            .name: "session",
            .value: "s3cret",
            .domain: "example.com",
            .path: "/notes",
            .secure: "TRUE",
            .expires: Date(timeIntervalSince1970: 4_000_000_000),
            .version: "0",
        ])
        guard let cookie else { return stage.log("none") }
        describe(cookie, stage)
        stage.log("described: \(cookie.description.contains("session"))")
        let properties = cookie.properties ?? [:]
        stage.log("\(properties[.name] as? String ?? "none")")
        stage.log("\(properties[.path] as? String ?? "none")")
        let old = HTTPCookie(properties: [
            .name: "old",
            .value: "1",
            .originURL: stage.url("/"),
            .path: "/",
            .version: "1",
            .maximumAge: "1000",
            .comment: "kept",
            .commentURL: stage.url("/why"),
            .discard: "FALSE",
            .port: "80,8080",
        ])
        if let old { describe(old, stage) } else { stage.log("none") }
        stage.log("nameless: \(HTTPCookie(properties: [.value: "1"]) == nil)")
        let key = HTTPCookiePropertyKey(rawValue: "Name")
        stage.log("\(hasValue(key, equalTo: .name)), \(HTTPCookiePropertyKey("Path").rawValue)")
        for policy in [HTTPCookie.AcceptPolicy.always, .never, .onlyFromMainDocumentDomain] {
            let same = HTTPCookie.AcceptPolicy(rawValue: policy.rawValue) ?? .always
            stage.log("policy \(policy.rawValue): \(hasValue(policy, equalTo: same))")
        }
    }

    private static func describe(_ cookie: HTTPCookie, _ stage: Stage) {
        stage.log("\(cookie.name)=\(cookie.value) of \(cookie.domain)\(cookie.path)")
        stage.log("secure \(cookie.isSecure), HTTP only \(cookie.isHTTPOnly)")
        let seconds = cookie.expiresDate.map { $0.timeIntervalSinceNow > 100 }
        stage.log(
            "session only \(cookie.isSessionOnly), later \(seconds.map { "\($0)" } ?? "never")"
        )
        stage.log("version \(cookie.version), \(cookie.comment ?? "no comment")")
        stage.log("why \(cookie.commentURL?.path ?? "nowhere")")
        stage.log("ports \(cookie.portList.map { $0.map(\.intValue) } ?? [])")
    }

    static func cookieFields(_ stage: Stage) {
        let url = URL(string: "http://www.example.com/notes/1")
        guard let url else { return }
        let cookies = HTTPCookie.cookies(
            withResponseHeaderFields: [
                "Set-Cookie": "a=b; Path=/; HttpOnly, c=d; Domain=example.com; Secure"
            ],
            for: url
        )
        for cookie in cookies.sorted(by: { $0.name < $1.name }) {
            stage.log("\(cookie.name)=\(cookie.value) of \(cookie.domain)\(cookie.path)")
            stage.log("secure \(cookie.isSecure), HTTP only \(cookie.isHTTPOnly)")
        }
        let fields = HTTPCookie.requestHeaderFields(with: cookies)
        let pairs = (fields["Cookie"] ?? "").components(separatedBy: "; ").sorted()
        stage.log("\(pairs)")
        stage.log("\(HTTPCookie.requestHeaderFields(with: []))")
        let none = HTTPCookie.cookies(withResponseHeaderFields: ["X-A": "b"], for: url)
        stage.log("\(none.count)")
    }

    static func cookieStorage(_ stage: Stage) {
        // The storage of an ephemeral session, so that the user's cookies stay untouched.
        let storage = URLSessionConfiguration.ephemeral.httpCookieStorage
        guard let storage, let url = URL(string: "http://notes.example.com/a") else {
            return stage.log("none")
        }
        stage.log("\(storage.cookies?.count ?? 0), policy \(storage.cookieAcceptPolicy.rawValue)")
        let cookies = ["b", "a"].compactMap { name in
            HTTPCookie(properties: [
                .name: name, .value: "1", .domain: "notes.example.com", .path: "/",
            ])
        }
        if let first = cookies.first { storage.setCookie(first) }
        storage.setCookies(cookies, for: url, mainDocumentURL: url)
        stage.log("\(storage.cookies(for: url)?.count ?? 0)")
        if let first = cookies.first { storage.deleteCookie(first) }
        stage.log("\((storage.cookies ?? []).map(\.name))")
        storage.removeCookies(since: Date(timeIntervalSinceNow: -60))
        stage.log("\(storage.cookies?.count ?? 0)")
        storage.cookieAcceptPolicy = .never
        storage.setCookies(cookies, for: url, mainDocumentURL: nil)
        stage.log("\(storage.cookies?.count ?? 0) by policy \(storage.cookieAcceptPolicy.rawValue)")
        stage.log("described: \(storage.description.isEmpty)")
    }

    static func sortedCookies(_ stage: Stage) {
        let storage = URLSessionConfiguration.ephemeral.httpCookieStorage
        for name in ["b", "a"] {
            let cookie = HTTPCookie(properties: [
                .name: name, .value: "1", .domain: "notes.example.com", .path: "/",
            ])
            if let cookie { storage?.setCookie(cookie) }
        }
        let byName = NSSortDescriptor(keyPath: \HTTPCookie.name, ascending: true)
        stage.log("\(storage?.sortedCookies(using: [byName]).map(\.name) ?? [])")
    }

    /// Only compiled: it would read the user's cookies.
    static func sharedCookies() -> [HTTPCookieStorage] {
        [.shared, .sharedCookieStorage(forGroupContainerIdentifier: "group")]
    }
}
