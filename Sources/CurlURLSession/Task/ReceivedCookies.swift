internal import CurlTransport
internal import Foundation

/// Cookies that a response sets.
struct ReceivedCookies: Sendable {
    let values: [String]
    let url: URL
    let mainDocumentURL: URL?
    let policy: HTTPCookie.AcceptPolicy
    let storage: HTTPCookieStorage

    /// `nil` where the response sets none, or nobody wants them.
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

    /// May look at the disk.
    func store() {
        storage.store(
            setCookieValues: values,
            from: url,
            mainDocumentURL: mainDocumentURL,
            policy: policy
        )
    }
}
