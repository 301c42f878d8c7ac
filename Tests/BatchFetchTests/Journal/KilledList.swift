import Foundation
import TestSupport
import Testing

/// A list of URLs, and the files of a command that is killed repeatedly.
struct KilledList {
    let count: Int
    let server: LoopbackServer
    private let folder: TemporaryDirectory
    private let list: String

    init(count: Int) throws {
        self.count = count
        folder = try TemporaryDirectory()
        server = try LoopbackServer { request in
            request.target.hasSuffix("7")
                ? .text("no", status: 404) : .bytes(Self.body(of: request.target))
        }
        let url = server.url
        list = try folder.write((0..<count).map { "\(url)/\($0)\n" }.joined(), to: "list")
    }

    /// One body in five takes several pieces and several writes.
    private static func body(of target: String) -> [UInt8] {
        let times = target.hasSuffix("2") || target.hasSuffix("5") ? 3000 : 1
        return Array(String(repeating: "body of \(target)\n", count: times).utf8)
    }

    var arguments: [String] {
        [
            "--concurrency", "8", "--per-host", "8", "--output", folder.path("out"),
            "--results", folder.path("results"), "--journal", folder.path("journal"),
            "--journal-interval", "5", list,
        ]
    }

    /// The results so far, without an incomplete last line.
    func wholeLines() throws -> [ResultLine] {
        let bytes = try results()
        let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return try ResultLine.lines(String(decoding: bytes[..<end], as: UTF8.self))
    }

    func endsWithWholeLine() throws -> Bool { try results().last ?? 0x0A == 0x0A }

    /// Empty before the first run has created the file.
    private func results() throws -> [UInt8] {
        let exists = FileManager.default.fileExists(atPath: folder.path("results"))
        return exists ? try folder.read("results") : []
    }

    /// Checks the files after a run has completed.
    func expectAll() throws {
        #expect(try endsWithWholeLine())
        let results = try wholeLines()
        #expect(results.count == count)
        #expect(Set(results.map(\.url)) == Set((0..<count).map { "\(server.url)/\($0)" }))
        #expect(Set(results.map(\.ordinal)) == Set(1...count))
        #expect(results.count { !$0.ok } == count / 10)
        for result in results {
            #expect(result.ok == (result.path != nil), "\(result.url)")
            guard let path = result.path else { continue }
            #expect(!path.hasPrefix("/"), "relative to the folder")
            let target = String(result.url.dropFirst(server.url.count))
            #expect(try folder.read("out/\(path)") == Self.body(of: target), "\(path)")
        }
        // No file is left of the bodies that a killed run didn't complete.
        let names = try TemporaryDirectory.files(in: folder.path("out"))
        #expect(Set(names) == Set(results.compactMap(\.path)))
    }
}
