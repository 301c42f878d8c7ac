import Foundation
import Posix
import TestSupport
import Testing

@testable import CurlURLSession

@Suite(.timeLimit(.minutes(10))) struct CookieFileErrorTests {
    private let folder: TemporaryDirectory
    private let url: URL

    init() throws {
        folder = try TemporaryDirectory()
        url = URL(fileURLWithPath: folder.path("cookies"))
    }

    private static let header = #"{"format":"cookies","version":1}"# + "\n"
    private static let times = #""created":1,"stored":1,"accessed":1,"expires":9e9"#

    private func error(_ url: URL) throws -> HTTPCookieStorageError {
        try #require(
            #expect(throws: HTTPCookieStorageError.self) {
                _ = try HTTPCookieStorage(persistingAt: url)
            }
        )
    }

    @Test(arguments: [
        ("x", "line 1 doesn't name the format"), ("\n", "line 1 doesn't name the format"),
        (#"{"format":"other","version":1}"# + "\n", "line 1 doesn't name the format"),
        (#"{"format":"cookies","version":0}"# + "\n", "line 1 doesn't name the format"),
        (#"{"format":"cookies","version":1}"#, "line 1 doesn't end"),
        (header + "{}\n", "line 2 isn't a cookie"), (header + "\n", "line 2 isn't a cookie"),
        (header + #"{"name":"a","value":"b","#, "line 2 doesn't end"),
        (header + "\u{0}\n", "line 2 isn't a cookie"),
    ])
    func damagedCookieFileIsAnErrorAndSetAside(text: String, reason: String) throws {
        try folder.write(text, to: "cookies")
        let error = try error(url)
        #expect(error.code == .damaged)
        #expect(error.reason == reason)
        #expect(error.url == url)
        #expect(error.movedTo?.path == url.path + ".damaged")
        #expect(error.description.contains("cookies.damaged"))
        #expect(error.localizedDescription == error.description)
        #expect(try folder.read("cookies.damaged") == Array(text.utf8))
        // The next attempt starts without cookies.
        #expect(try HTTPCookieStorage(persistingAt: url).cookies == [])
    }

    /// For example, a domain may since have become a public suffix.
    @Test(arguments: [#""name":"a","domain":".com""#, #""name":"a\r\nX","domain":"h.com""#])
    func invalidStoredCookieIsSkipped(members: String) throws {
        let others = #""value":"b","path":"/",\#(Self.times)}"#
        try folder.write(
            """
            \(Self.header){\(members),\(others)
            {"name":"kept","domain":"h.com",\(others)

            """,
            to: "cookies"
        )
        #expect(try HTTPCookieStorage(persistingAt: url).cookies?.map(\.name) == ["kept"])
    }

    @Test func tooLargeCookieFileIsDamaged() throws {
        try folder.write("", to: "cookies")
        let file = try FileDescriptor.openForWriting(url.path, creation: .truncating)
        try file.seek(to: 1 << 26)
        try file.write([0])
        try file.close()
        #expect(try error(url).code == .damaged)
    }

    @Test func validCookieFileIsRead() throws {
        let line =
            #"{"name":"a","value":"b","domain":".H.com","path":"/","later":[1],\#(Self.times)}"#
        try folder.write(Self.header + line + "\n", to: "cookies")
        let storage = try HTTPCookieStorage(persistingAt: url)
        let target = try #require(URL(string: "http://www.h.com/"))
        #expect(storage.cookies(for: target)?.map(\.name) == ["a"])
    }

    @Test func emptyFileHasNoCookies() throws {
        try folder.write("", to: "cookies")
        #expect(try HTTPCookieStorage(persistingAt: url).cookies == [])
    }

    @Test func fileOfALaterVersionIsNotModified() throws {
        let text = #"{"format":"cookies","version":2}"# + "\nwhatever"
        try folder.write(text, to: "cookies")
        let error = try error(url)
        #expect(error.code == .newerFormat)
        #expect(error.description.contains("format 2"))
        #expect(try folder.read("cookies") == Array(text.utf8))
        #expect(try !folder.contents().contains("cookies.damaged"))
    }

    @Test func fileDamagedMeanwhileIsRewritten() async throws {
        let storage = try HTTPCookieStorage(persistingAt: url)
        let cookie = HTTPCookie(properties: [
            .name: "a", .value: "b", .domain: "h.com", .path: "/", .maximumAge: 1_000,
            .version: "1",
        ])
        storage.setCookie(try #require(cookie))
        try await storage.flush()
        try folder.write("x", to: "cookies")
        let error = await #expect(throws: HTTPCookieStorageError.self) { try await storage.flush() }
        #expect(error?.code == .damaged)
        #expect(error?.movedTo != nil)
        // The error is thrown once.
        try await storage.flush()
        #expect(try HTTPCookieStorage(persistingAt: url).cookies?.map(\.name) == ["a"])
        #expect(try folder.read("cookies.damaged") == Array("x".utf8))
    }

    @Test func unusableLocationIsAnError() throws {
        try folder.write("x", to: "file")
        try FileSystem.makeDirectory(folder.path("folder"))
        let web = try #require(URL(string: "https://example.com/cookies"))
        let places = [
            URL(fileURLWithPath: folder.path("file/cookies")),
            URL(fileURLWithPath: folder.path("folder")), web,
        ]
        for place in places {
            let error = try error(place)
            #expect(error.code == .inaccessible, "\(place)")
            #expect(error.url == place)
            #expect(error.movedTo == nil)
        }
    }

    @Test func missingFoldersAreCreated() async throws {
        let url = URL(fileURLWithPath: folder.path("a/b/cookies"))
        try await HTTPCookieStorage(persistingAt: url).flush()
        #expect(try folder.contents() == ["a"])
    }
}
