internal import Foundation

extension CookieOrigin {
    /// Whether the policy accepts cookies from this origin.
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

/// The methods for sessions.
extension HTTPCookieStorage {
    /// Whether no request gets a cookie from this storage. Takes no lock and parses no URL. If it
    /// is `false`, there may still be none.
    var isEmptyForSure: Bool { !isOverridden && contents.isEmpty }

    /// The value of a request's `Cookie` field; `nil` without cookies for it.
    ///
    /// - Parameter mainDocumentURL: The document that the request is made for; `nil` if the request
    ///   is for a main document itself. If the document is of another site, cookies with `SameSite`
    ///   are left out.
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

    /// Stores cookies from a response's separate `Set-Cookie` fields, if both policies accept them.
    ///
    /// The policies are the storage's and the session's. The storage's queue calls observers, so
    /// this may be called where no user code may run.
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
            contents.scheduleNotification()
        }
    }

    /// Whether a subclass may override methods, which then have to be called.
    private var isOverridden: Bool { type(of: self) != HTTPCookieStorage.self }

    /// Stores cookies by the policy, without notifying. Returns whether any cookie changed.
    func accept(_ cookies: [HTTPCookie], from url: URL?, mainDocumentURL: URL?) -> Bool {
        guard !cookies.isEmpty, let origin = url.flatMap({ CookieOrigin($0) }) else { return false }
        guard origin.isAccepted(by: cookieAcceptPolicy, mainDocumentURL: mainDocumentURL) else {
            return false
        }
        return contents.set(cookies, from: origin, now: Date())
    }

    /// Notifies on the calling thread, without a lock: observers may call the storage.
    func postChangeNotification() {
        NotificationCenter.default.post(name: .NSHTTPCookieManagerCookiesChanged, object: self)
    }
}
