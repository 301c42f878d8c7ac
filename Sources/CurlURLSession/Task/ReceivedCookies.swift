internal import Foundation

/// Cookies that a response sets.
struct ReceivedCookies: Sendable {
    let values: [String]
    let url: URL
    let mainDocumentURL: URL?
    let storage: HTTPCookieStorage

    /// May look at the disk.
    func store() {
        storage.store(setCookieValues: values, from: url, mainDocumentURL: mainDocumentURL)
    }
}
