import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CurlURLSession

@Suite(.timeLimit(.minutes(10))) struct CookieStoreTests {
    private func cookie(_ name: String) throws -> HTTPCookie {
        try #require(
            HTTPCookie(properties: [
                .name: name, .value: "v", .path: "/", .domain: "example.com", .maximumAge: 1_000,
                .version: "1",
            ])
        )
    }

    private func set(_ name: String, in store: CookieStore) throws -> Bool {
        store.set([try cookie(name)], from: nil, now: Date())
    }

    @Test("B6: Cookies are written in batches, and setting one doesn't wait for a write")
    func cookiesAreWrittenTogether() async throws {
        let gate = Gate()
        let writes = Watched<[Int]>([])
        let store = CookieStore(CookieJar()) {
            (changes, own) throws(HTTPCookieStorageError) in
            gate.waitBlocking()
            writes.update { $0.append(changes.byKey.count) }
            return CookieFile.Outcome(jar: CookieJar(own, now: Date()))
        }
        // These are set while the first one is being written.
        for index in 0..<150 { #expect(try set("c\(index)", in: store)) }
        gate.open()
        try await NativeThread.run { try store.flush() }
        let counts = writes.read { $0 }
        #expect(counts.reduce(0, +) == 150)
        // The first write, one for the rest, and perhaps one without changes.
        #expect(counts.count <= 3)
    }

    @Test func failedWriteIsReportedOnceAndRetried() throws {
        let url = URL(fileURLWithPath: "/nowhere")
        let isBroken = Watched(true)
        let written = Watched<Set<String>>([])
        let store = CookieStore(CookieJar()) {
            (changes, own) throws(HTTPCookieStorageError) in
            guard !isBroken.read({ $0 }) else {
                throw HTTPCookieStorageError(.inaccessible, url: url, reason: "broken")
            }
            written.update { $0.formUnion(changes.byKey.keys.map(\.name)) }
            return CookieFile.Outcome(jar: CookieJar(own, now: Date()))
        }
        #expect(try set("a", in: store))
        #expect(throws: HTTPCookieStorageError.self) { try store.flush() }
        #expect(try set("b", in: store))
        isBroken.update { $0 = false }
        try store.flush()
        #expect(written.read { $0 } == ["a", "b"])
        try store.flush()
    }

    @Test func damageIsReportedWhileWritingContinues() throws {
        let url = URL(fileURLWithPath: "/nowhere")
        let damage = HTTPCookieStorageError(.damaged, url: url, reason: "line 1")
        let damages = Watched([damage])
        let store = CookieStore(CookieJar()) {
            (_, own) throws(HTTPCookieStorageError) in
            let damage = damages.update { $0.popLast() }
            return CookieFile.Outcome(jar: CookieJar(own, now: Date()), damage: damage)
        }
        store.write(isForced: true)
        store.write(isForced: true)
        #expect(throws: damage) { try store.flush() }
        try store.flush()
    }

    @Test func storeWithoutAFileRecordsNoChanges() throws {
        let store = CookieStore()
        #expect(store.isEmpty)
        #expect(try set("a", in: store))
        #expect(!store.isEmpty)
        #expect(store.state.withLock { $0.jar.changes == nil && !$0.isScheduled })
        try store.flush()
        #expect(store.remove(try cookie("a"), now: Date()))
        #expect(store.isEmpty)
        #expect(!store.remove(try cookie("a"), now: Date()))
    }

    @Test func foreignChangesNotifyOnTheQueue() async throws {
        let theirs = try #require(StoredCookie(try cookie("theirs"), now: Date()))
        let notifications = EventRecorder<Int>()
        let store = CookieStore(CookieJar()) { (_, _) throws(HTTPCookieStorageError) in
            CookieFile.Outcome(jar: CookieJar([theirs], now: Date()))
        }
        store.state.withLock { $0.observer = { notifications.record(1) } }
        store.write(isForced: true)
        _ = try await notifications.wait(count: 1)
        #expect(store.all(now: Date()).map(\.name) == ["theirs"])
    }
}
