import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import CurlURLSession

@Suite(.timeLimit(.minutes(10))) struct HTTPCookieStorageNotificationTests {
    private let storage = HTTPCookieStorage()

    private func cookie(_ name: String, _ value: String = "v") throws -> HTTPCookie {
        try #require(
            HTTPCookie(properties: [
                .name: name, .value: value, .path: "/", .domain: "example.com",
            ])
        )
    }

    /// Counts the notifications that are posted while `body` runs.
    ///
    /// The observer runs on the thread that posts.
    private func count(
        _ name: Notification.Name,
        _ body: () throws -> Void
    ) rethrows -> Int {
        let count = Mutex(0)
        let observer = NotificationCenter.default.addObserver(
            forName: name,
            object: storage,
            queue: nil
        ) { _ in
            count.withLock { $0 += 1 }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try body()
        return count.withLock { $0 }
    }

    @Test func onlyChangesPostNotifications() throws {
        let changed = Notification.Name.NSHTTPCookieManagerCookiesChanged
        #expect(changed.rawValue == "NSHTTPCookieManagerCookiesChangedNotification")
        let (a, b) = (try cookie("a"), try cookie("b"))
        let url = try #require(URL(string: "http://example.com/"))
        #expect(count(changed) { storage.setCookie(a) } == 1)
        #expect(count(changed) { storage.setCookie(a) } == 0)
        #expect(try count(changed) { storage.setCookie(try cookie("a", "w")) } == 1)
        #expect(count(changed) { storage.setCookies([a, b], for: url, mainDocumentURL: nil) } == 1)
        #expect(count(changed) { _ = storage.cookies(for: url) } == 0)
        #expect(count(changed) { storage.deleteCookie(a) } == 1)
        #expect(count(changed) { storage.deleteCookie(a) } == 0)
        #expect(count(changed) { storage.removeCookies(since: .distantPast) } == 1)
        #expect(count(changed) { storage.removeCookies(since: .distantPast) } == 0)
    }

    @Test func newPolicyPostsANotification() {
        let changed = Notification.Name.NSHTTPCookieManagerAcceptPolicyChanged
        #expect(count(changed) { storage.cookieAcceptPolicy = .never } == 1)
        #expect(count(changed) { storage.cookieAcceptPolicy = .never } == 0)
        #expect(count(changed) { storage.cookieAcceptPolicy = .always } == 1)
    }

    /// An observer may read and change the storage.
    @Test func observersCanUseTheStorage() throws {
        let cookies = [try cookie("a"), try cookie("b")]
        let storage = storage
        let observer = NotificationCenter.default.addObserver(
            forName: .NSHTTPCookieManagerCookiesChanged,
            object: storage,
            queue: nil
        ) { _ in
            storage.setCookie(cookies[1])
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        storage.setCookie(cookies[0])
        #expect(storage.cookies == cookies)
    }

    /// Sessions store cookies on threads that must not run the user's code.
    @Test func responseCookiesNotifyOnAnotherThread() async throws {
        let url = try #require(URL(string: "http://example.com/"))
        let storage = storage
        let threads = EventRecorder<pthread_t>()
        let isReported = Gate()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSHTTPCookieManagerCookiesChanged,
            object: storage,
            queue: nil
        ) { _ in
            threads.record(pthread_self())
            isReported.open()
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let caller = try await NativeThread.run {
            storage.store(setCookieValues: ["a=1"], from: url, mainDocumentURL: nil)
            storage.store(setCookieValues: ["b=2"], from: url, mainDocumentURL: nil)
            // Once this thread has ended, another thread may get its identifier.
            isReported.waitBlocking()
            return pthread_self()
        }
        #expect(!threads.events.isEmpty)
        #expect(!threads.events.contains(caller))
        #expect(storage.cookies?.count == 2)
    }
}
