internal import CurlTransport
internal import Foundation

/// The cookies that a response sets.
struct ReceivedCookies: Sendable {
    let values: [String]
    let url: URL
    let mainDocumentURL: URL?
    let policy: HTTPCookie.AcceptPolicy
    let storage: HTTPCookieStorage

    /// Returns `nil` if there are no cookies, or none may be stored.
    init?(of response: LoadedResponse, to request: URLRequest, settings: SessionSettings) {
        guard let head = response.receivedHead, head.setsCookies, let url = request.url,
            request.httpShouldHandleCookies, settings.httpCookieAcceptPolicy != .never,
            let storage = settings.httpCookieStorage
        else { return nil }
        values = LoadedResponse.head(head).values(of: "Set-Cookie")
        self.url = url
        mainDocumentURL = request.mainDocumentURL
        policy = settings.httpCookieAcceptPolicy
        self.storage = storage
    }

    /// Stores the cookies. May read the disk.
    func store() {
        storage.store(
            setCookieValues: values,
            from: url,
            mainDocumentURL: mainDocumentURL,
            policy: policy
        )
    }
}

/// The cookies of a task's response, until they are stored.
struct PendingCookies: Sendable {
    @Indirect private var received: ReceivedCookies? = nil
    private var isStoring = false

    var arePending: Bool { isStoring || received != nil }

    mutating func note(_ cookies: ReceivedCookies?) {
        received = cookies
    }

    /// Takes the cookies to store them.
    mutating func take() -> ReceivedCookies? {
        guard let cookies = received.take() else { return nil }
        isStoring = true
        return cookies
    }

    mutating func noteStored() {
        isStoring = false
    }
}
