import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Bodies that are stored as they are sent, and the times of their files.
@Suite(.timeLimit(.minutes(10))) struct StoredBodyTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func fetch(
        _ url: String,
        _ change: (inout BatchConfiguration) -> Void
    ) async throws -> BatchResult? {
        let naming = FileNaming(template: try NameTemplate("{file}"))
        var configuration = BatchConfiguration(
            retry: .never,
            output: .directory(folder.path("out"), naming: naming)
        )
        change(&configuration)
        let run = try Batch(configuration).start(.urls([url]))
        return await run.reduce(nil) { $1 }
    }

    @Test("A body that isn't decoded is stored as sent, and its result names the coding")
    func bodyIsStoredAsSent() async throws {
        let packed = StoredGzip.member("hello")
        let server = try LoopbackServer { _ in
            .bytes(packed).header("Content-Encoding", "gzip")
        }
        var result = try await fetch("\(server.url)/a") { $0.decodesContent = false }
        #expect(result?.isFetched == true && result?.contentEncoding == "gzip", "\(result as Any)")
        #expect(try folder.read("out/a") == packed)
        #expect(server.requests.last?.headers("accept-encoding") == ["gzip, deflate"])
        var line: [UInt8] = []
        result?.appendJSONLine(to: &line)
        #expect(String(decoding: line, as: UTF8.self).contains("\"content_encoding\":\"gzip\""))
        result = try await fetch("\(server.url)/b") { _ in }
        #expect(result?.contentEncoding == nil)
        #expect(try folder.read("out/b") == Array("hello".utf8))
    }

    @Test("robots.txt is decoded although bodies aren't")
    func robotsFileIsDecoded() async throws {
        let packed = StoredGzip.member("User-agent: *\nDisallow: /a\n")
        let server = try LoopbackServer { request in
            request.target == "/robots.txt"
                ? .bytes(packed).header("Content-Encoding", "gzip") : .text("x")
        }
        let result = try await fetch("\(server.url)/a") {
            $0.decodesContent = false
            $0.politeness.obeysRobots = true
        }
        #expect(result?.failure?.code == .robots, "\(result as Any)")
    }

    private func time(of name: String) throws -> Date {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
        return try #require(attributes[.modificationDate] as? Date)
    }

    @Test("A file gets the time of Last-Modified, also if its parts can be resumed")
    func fileGetsTheTimeOfLastModified() async throws {
        let long = String(repeating: "x", count: 2 << 20)
        let server = try LoopbackServer { request in
            .text(request.target == "/long" ? long : "x")
                .header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
                .header("ETag", "\"e\"")
        }
        for name in ["short", "long"] {
            let result = try await fetch("\(server.url)/\(name)") { $0.usesRemoteTime = true }
            #expect(result?.isFetched == true, "\(result as Any)")
            #expect(try time(of: "out/\(name)") == Date(timeIntervalSince1970: 784_111_777))
        }
        _ = try await fetch("\(server.url)/now") { _ in }
        #expect(try time(of: "out/now") > Date(timeIntervalSinceNow: -3600))
    }

    @Test("Without a valid Last-Modified, a file has the time when it was written")
    func fileWithoutLastModifiedIsNew() async throws {
        let server = try LoopbackServer { .text($0.target).header("Last-Modified", "yesterday") }
        _ = try await fetch("\(server.url)/a") { $0.usesRemoteTime = true }
        #expect(try time(of: "out/a") > Date(timeIntervalSinceNow: -3600))
    }
}
