import CurlTransport
internal import HTTPTypes

/// Where the cookies of one request's responses go.
struct OriginCookies: Sendable {
    let cookies: RunCookies
    let origin: CookieOrigin

    /// Stores the cookies of a response.
    func store(_ head: ResponseHead) {
        // Most responses set none.
        guard head.firstValueBytes(of: .setCookie) != nil else { return }
        cookies.store(head.values(of: "set-cookie"), from: origin)
    }
}
