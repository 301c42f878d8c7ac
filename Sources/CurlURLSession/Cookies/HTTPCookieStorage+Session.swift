internal import Foundation

extension CookieOrigin {
    /// Whether cookies from there are taken.
    fileprivate func isAccepted(
        by policy: HTTPCookie.AcceptPolicy,
        mainDocumentURL: URL?
    ) -> Bool {
        switch policy {
        case .never: false
        case .onlyFromMainDocumentDomain: isSameSite(as: mainDocumentURL)
        case .always: true
        }
    }
}

/// What sessions ask.
extension HTTPCookieStorage {
    /// Whether no request gets a cookie from here. Takes no lock and looks at no URL; where it is
    /// `false`, there may be none all the same.
    var isEmptyForSure: Bool { !isOverridden && contents.isEmpty }

    /// What a request's field `Cookie` says; `nil` without cookies for it.
    ///
    /// - Parameter mainDocumentURL: The document that the request is made for; `nil` if what is
    ///   requested is one itself. For one of another site, cookies with `SameSite` are left out.
    func fieldValue(for url: URL, mainDocumentURL: URL?) -> String? {
        if isOverridden {
            return HTTPCookie.requestHeaderFields(with: cookies(for: url) ?? [])["Cookie"]
        }
        guard !contents.isEmpty, let origin = CookieOrigin(url) else { return nil }
        let isSameSite = origin.isSameSite(as: mainDocumentURL)
        let cookies = contents.cookies(for: origin, isSameSite: isSameSite, now: Date())
        guard let first = cookies.first else { return nil }
        return cookies.dropFirst().reduce(into: first.attributes.pair) { text, cookie in
            text += "; "
            text += cookie.attributes.pair
        }
    }

    /// Stores what a response's `Set-Cookie` fields set, one by one as they were received, as far as
    /// the storage's policy and the session's have it. Observers are told on a queue of the storage's,
    /// so that it may be called where nothing of the user's may run.
    func store(
        setCookieValues: [String],
        from url: URL,
        mainDocumentURL: URL?,
        policy: HTTPCookie.AcceptPolicy = .always
    ) {
        guard !setCookieValues.isEmpty, let origin = CookieOrigin(url),
            origin.isAccepted(by: policy, mainDocumentURL: mainDocumentURL)
        else { return }
        let cookies = HTTPCookie.cookies(setCookieValues, for: url)
        if isOverridden {
            setCookies(cookies, for: url, mainDocumentURL: mainDocumentURL)
        } else if accept(cookies, from: url, mainDocumentURL: mainDocumentURL) {
            contents.tellLater()
        }
    }

    /// Whether methods may have been overridden, so that these are what has to be called.
    private var isOverridden: Bool { type(of: self) != HTTPCookieStorage.self }

    /// Stores cookies by the policy, without telling. Returns whether that changed anything.
    func accept(_ cookies: [HTTPCookie], from url: URL?, mainDocumentURL: URL?) -> Bool {
        guard !cookies.isEmpty, let origin = url.flatMap({ CookieOrigin($0) }) else { return false }
        guard origin.isAccepted(by: cookieAcceptPolicy, mainDocumentURL: mainDocumentURL) else {
            return false
        }
        return contents.set(cookies, from: origin, now: Date())
    }

    /// On the calling thread, where no lock is held: who is told may ask.
    func tell() {
        NotificationCenter.default.post(name: .NSHTTPCookieManagerCookiesChanged, object: self)
    }
}
