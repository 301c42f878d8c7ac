import Foundation
import Synchronization
import Testing

@testable import CurlURLSession

/// Tests that sessions call the methods that a subclass overrides.
struct HTTPCookieStorageSubclassTests {
    private final class Fixed: HTTPCookieStorage, @unchecked Sendable {
        let received = Mutex<[String]>([])

        override func cookies(for url: URL) -> [HTTPCookie]? {
            HTTPCookie.cookies(["x=\(url.lastPathComponent)", "y=1"], for: url)
        }

        override func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
            let text =
                "\(cookies.map(\.name)) \(url?.host() ?? "") \(mainDocumentURL?.host() ?? "")"
            received.withLock { $0.append(text) }
        }
    }

    private final class Plain: HTTPCookieStorage, @unchecked Sendable {}

    @Test func overriddenMethodsAreCalled() throws {
        let storage = Fixed()
        let url = try #require(URL(string: "http://example.com/path"))
        let document = try #require(URL(string: "http://example.org/"))
        #expect(!storage.isEmptyForSure)
        #expect(storage.fieldValue(for: url, mainDocumentURL: nil) == "x=path; y=1")
        storage.store(setCookieValues: ["a=1", "b=2"], from: url, mainDocumentURL: document)
        storage.store(setCookieValues: [], from: url, mainDocumentURL: document)
        #expect(storage.received.withLock { $0 } == ["[\"a\", \"b\"] example.com example.org"])
        #expect(storage.cookies == [])
    }

    @Test func subclassInheritsOtherMethods() throws {
        let storage = Plain()
        let url = try #require(URL(string: "http://example.com/"))
        #expect(storage.fieldValue(for: url, mainDocumentURL: nil) == nil)
        storage.store(setCookieValues: ["a=1"], from: url, mainDocumentURL: nil)
        #expect(storage.fieldValue(for: url, mainDocumentURL: nil) == "a=1")
        #expect(storage.description == "<NSHTTPCookieStorage cookies count:1>")
    }
}
