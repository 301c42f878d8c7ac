import Foundation
import Posix
import TestSupport
import Testing

@testable import CurlURLSession

@Suite(.timeLimit(.minutes(10))) struct CookieFileTests {
    private let folder: TemporaryDirectory
    private let url: URL

    init() throws {
        folder = try TemporaryDirectory()
        url = URL(fileURLWithPath: folder.path("cookies"))
    }

    private func cookie(
        _ name: String,
        _ value: String = "v",
        _ more: [HTTPCookiePropertyKey: Any] = [.maximumAge: 1_000, .version: "1"]
    ) throws -> HTTPCookie {
        let properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .path: "/", .domain: "example.com",
        ]
        return try #require(HTTPCookie(properties: properties.merging(more) { $1 }))
    }

    private func text(_ storage: HTTPCookieStorage) -> [String] {
        (storage.cookies ?? []).map { "\($0.name)=\($0.value)" }
    }

    /// The cookies that a new storage reads from the file.
    private func read() throws -> [String] {
        text(try HTTPCookieStorage(persistingAt: url)).sorted()
    }

    @Test func storedCookiesAreReadAgain() async throws {
        let all: [HTTPCookiePropertyKey: Any] = [
            .domain: ".example.com", .path: "/x", .secure: "TRUE", .sameSitePolicy: "lax",
            .expires: Date(timeIntervalSinceNow: 1_000.123456789), .version: "1",
            .comment: "ä \"quoted\" /\t", .commentURL: "https://example.com/c", .port: "80,443",
            HTTPCookiePropertyKey("HttpOnly"): "TRUE",
        ]
        let cookies = [try cookie("a", "ö=\\\""), try cookie("b", "", all)]
        let storage = try HTTPCookieStorage(persistingAt: url)
        for cookie in cookies { storage.setCookie(cookie) }
        try await storage.flush()
        #expect(try HTTPCookieStorage(persistingAt: url).cookies == cookies)
    }

    @Test func fileHasOneLinePerCookieAndOneForTheFormat() async throws {
        let storage = try HTTPCookieStorage(persistingAt: url)
        storage.setCookie(
            try cookie("a", "1", [.expires: Date(timeIntervalSinceReferenceDate: 9e9)])
        )
        storage.setCookie(try cookie("b", "2"))
        try await storage.flush()
        let lines = String(decoding: try folder.read("cookies"), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 4)
        #expect(lines[0] == #"{"format":"cookies","version":1}"#)
        #expect(lines[1].hasPrefix(#"{"accessed":"#))
        #expect(lines[1].contains(#""domain":"example.com","expires":9000000000,"name":"a","#))
        #expect(lines[2].contains(#""name":"b""#))
        #expect(lines[3].isEmpty)
    }

    @Test func onlyTheUserCanReadTheFile() async throws {
        let storage = try HTTPCookieStorage(persistingAt: url)
        storage.setCookie(try cookie("a"))
        try await storage.flush()
        #expect(try FileSystem.permissions(of: url.path) == 0o600)
        #expect(try FileSystem.permissions(of: url.path + ".lock") == 0o600)
        #expect(try folder.contents() == ["cookies", "cookies.lock"])
    }

    @Test func sessionCookiesStayInMemory() async throws {
        let storage = try HTTPCookieStorage(persistingAt: url)
        storage.setCookie(try cookie("a", "1", [:]))
        storage.setCookie(
            try cookie("b", "1", [.maximumAge: 1_000, .version: "1", .discard: "TRUE"])
        )
        storage.setCookie(try cookie("c"))
        try await storage.flush()
        #expect(try read() == ["c=v"])
        #expect(storage.cookies?.count == 3)
    }

    @Test func expiredCookiesAreNotRead() throws {
        let bytes = try CookieFileFormat.encode(
            ["a", "b"].map { name in
                let expires = Date(timeIntervalSinceNow: name == "a" ? -1 : 1_000)
                let cookie = try cookie(name, "v", [.expires: expires])
                return try #require(StoredCookie(cookie, now: Date()))
            }
        )
        try folder.write(bytes, to: "cookies")
        #expect(try read() == ["b=v"])
    }

    @Test func twoStoragesShareAFile() async throws {
        let one = try HTTPCookieStorage(persistingAt: url)
        let other = try HTTPCookieStorage(persistingAt: url)
        let notifications = EventRecorder<Int>()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSHTTPCookieManagerCookiesChanged,
            object: one,
            queue: nil
        ) { _ in notifications.record(1) }
        defer { NotificationCenter.default.removeObserver(observer) }
        other.setCookie(try cookie("theirs"))
        try await other.flush()
        #expect(text(one) == [])
        try await one.flush()
        #expect(text(one) == ["theirs=v"])
        _ = try await notifications.wait(count: 1)
        one.deleteCookie(try cookie("theirs"))
        one.setCookie(try cookie("mine"))
        try await one.flush()
        try await other.flush()
        #expect(text(other) == ["mine=v"])
        #expect(try read() == ["mine=v"])
    }

    @Test func concurrentStoragesLoseNoCookies() throws {
        let url = url
        let cookies = try (0..<64).map { try cookie("c\($0)") }
        let failures = Watched(0)
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            do {
                let storage = try HTTPCookieStorage(persistingAt: url)
                for index in 0..<8 {
                    storage.setCookie(cookies[worker * 8 + index])
                    try storage.flush()
                }
            } catch {
                failures.update { $0 += 1 }
            }
        }
        #expect(failures.read { $0 } == 0)
        #expect(try read() == cookies.map { "\($0.name)=v" }.sorted())
    }

    @Test func concurrentProcessesLoseNoCookies() async throws {
        let program = try BuiltProducts.path("CookieProbe")
        let path = url.path
        let names = ["a", "b", "c"]
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for name in names {
                group.addTask {
                    try await NativeThread.run {
                        try ChildProcess.run([program, path, name, "20"]).status
                    }
                }
            }
            var statuses: [Int32] = []
            for try await status in group { statuses.append(status) }
            return statuses
        }
        #expect(statuses == [0, 0, 0])
        // The processes removed every second cookie again.
        let expected = names.flatMap { name in
            stride(from: 0, to: 20, by: 2).map { "\(name)\($0)=v" }
        }
        #expect(try read() == expected.sorted())
    }

    @Test func pendingCookiesAreWrittenAfterRelease() async throws {
        let written = EventRecorder<Int>()
        var store: CookieStore? = CookieStore(CookieJar()) {
            (changes, own) throws(HTTPCookieStorageError) in
            written.record(changes.byKey.count)
            return CookieFile.Outcome(jar: CookieJar(own, now: Date()))
        }
        _ = store?.set([try cookie("a")], from: nil, now: Date())
        store = nil
        #expect(try await written.wait(count: 1) == [1])
    }

    @Test func deletedFileIsRewritten() async throws {
        let storage = try HTTPCookieStorage(persistingAt: url)
        storage.setCookie(try cookie("a"))
        try await storage.flush()
        try FileSystem.remove(url.path)
        storage.setCookie(try cookie("b"))
        try await storage.flush()
        #expect(try read() == ["a=v", "b=v"])
    }
}
