internal import CurlTransport
internal import Foundation
internal import HTTPTypes

/// A request in the engine's form: what the user, the session, the cookies and the credentials say, put
/// together.
struct OutgoingRequest {
    private let plan: LoadPlan
    private let settings: SessionSettings

    init(_ plan: LoadPlan, settings: SessionSettings) {
        self.plan = plan
        self.settings = settings
    }

    /// - Throws: What is wrong with the URL, the method or a field; nothing is sent then.
    func make() throws(TransportError) -> HTTPRequest {
        guard let url = plan.request.url else {
            throw .invalidURL("the request has none; set one")
        }
        guard let method = HTTPRequest.Method(rawValue: plan.request.state.method) else {
            throw .invalidRequest("the method has characters that a method can't have")
        }
        let text = url.absoluteString
        if let plain = PlainURL(text) {
            return HTTPRequest(
                method: method,
                scheme: plain.scheme,
                authority: plain.authority,
                path: plain.path,
                headerFields: try fields(url)
            )
        }
        return try HTTPRequest(
            method: method,
            url: Self.withoutUser(text, of: url),
            headerFields: fields(url)
        )
    }

    /// Without a user's name and password: those answer challenges, and aren't sent unasked.
    private static func withoutUser(
        _ text: String,
        of url: URL
    ) throws(TransportError) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        guard let bare = url.withoutUserInfo else {
            throw .invalidURL("it can't be taken apart")
        }
        return bare.absoluteString
    }

    private func fields(_ url: URL) throws(TransportError) -> HTTPFields {
        var fields = HTTPFields()
        for line in settings.fields(for: plan.request).lines where isSent(line.name) {
            fields.append(try HTTPField(validating: line.name, value: line.value))
        }
        if let cookies = cookies(for: url) {
            // Setting it by its name would make a field of each.
            fields.removeAll { $0.name == .cookie }
            fields.append(try HTTPField(validating: "Cookie", value: cookies))
        }
        if let basic = plan.authorization?.basicField { fields[.authorization] = basic }
        if plan.upload == .whole { fields.append(contentsOf: UploadProtocol.offer) }
        return fields
    }

    /// What frames the content is the engine's to say, but for the length of a stream. What a session
    /// sends with all its requests isn't for another origin, where it is a credential.
    private func isSent(_ name: String) -> Bool {
        switch name.utf8.count {
        case 14 where name.equalsIgnoringASCIICase("Content-Length"):
            guard case .stream = plan.body else { return false }
            return true
        case 17 where name.equalsIgnoringASCIICase("Transfer-Encoding"):
            return false
        default:
            guard plan.hasLeftOrigin, RedirectedRequest.isCredential(name) else { return true }
            return plan.request.value(forHTTPHeaderField: name) != nil
        }
    }

    /// Stored cookies go before those that the request brings itself.
    private func cookies(for url: URL) -> String? {
        guard settings.httpShouldSetCookies, plan.request.httpShouldHandleCookies,
            let storage = settings.httpCookieStorage, !storage.isEmptyForSure
        else { return nil }
        return storage.fieldValue(for: url, mainDocumentURL: plan.request.mainDocumentURL)
    }
}
