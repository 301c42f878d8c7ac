import Foundation
import TestSupport
import Testing

/// Fetches input files of aria2.
@Suite(.timeLimit(.minutes(10))) struct AriaCommandTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("An entry's mirrors and options are used, and other options are named once")
    func entriesAreFetched() async throws {
        let server = try LoopbackServer { request in
            request.target == "/gone" ? .status(404) : .text("body of \(request.target)")
        }
        let list = try folder.write(
            """
            # two entries
            \(server.url)/gone\t\(server.url)/one
              out=first
              dir=/images
              header=X-Mark: 1
              split=5
            \(server.url)/two
              split=6
              checksum=md5=00000000000000000000000000000000

            """,
            to: "uris.txt"
        )
        let ending = try await CommandRun.ending(
            "--format",
            "aria2",
            "--output",
            folder.path("out"),
            "--results",
            folder.path("results"),
            "--retries",
            "0",
            list
        )
        #expect(ending.status == 1, "\(ending)")
        #expect(try folder.read("out/images/first") == Array("body of /one".utf8))
        #expect(server.requests.first { $0.target == "/one" }?.header("x-mark") == "1")
        let warning = "batchfetch: warning: the option “split” in the list is ignored"
        #expect(ending.errors.components(separatedBy: warning).count == 2, "\(ending)")
        let results = String(decoding: try folder.read("results"), as: UTF8.self)
        #expect(results.contains("\"mirror\":\"\(server.url)/one\""), "\(results)")
        #expect(results.contains("\"code\":\"verification\""), "\(results)")
    }
}
