internal import Foundation
internal import TestSupport
internal import Testing

/// Runs programs of a package that depends only on one product of this package.
@Suite(.enabled(if: Consumer.areBuilt), .timeLimit(.minutes(10)))
struct ConsumerTests {
    private let courier = Consumer(name: "Courier")

    private func json(_ text: String) -> Reply {
        Reply(headers: [("Content-Type", "application/json")], body: .bytes(Array(text.utf8)))
    }

    @Test func consumerSendsRequestParameters() async throws {
        let server = try LoopbackServer { request in
            request.header("User-Agent") == "courier/1.0"
                ? json(#"[{"title":"\#(request.method)"},{"title":"\#(request.target)"}]"#)
                : .status(400)
        }
        let (status, output) = try await courier.run("list", server.url, "2")
        #expect(status == 0)
        #expect(
            output
                == "letter: GET\nletter: /letters?kinds%5B%5D=letter&kinds%5B%5D=parcel&page=2\n"
        )
    }

    @Test func consumerUploadsFormWithProgress() async throws {
        let (folder, gate) = (try TemporaryDirectory(), Gate())
        // More than the kernel buffers while the server reads nothing.
        let content = String(repeating: "words ", count: 1_400_000)
        let file = try folder.write(content, to: "hello.txt")
        var options = ServerOptions()
        options.receiveBufferBytes = 8192
        let answer = Step.respond { request in
            let isRight =
                request.bodyText.contains(content)
                && request.bodyText.contains("filename=\"hello.txt\"")
            let reply = isRight ? json(#"{"number":\#(request.body.count)}"#) : .status(400)
            return reply.steps(for: request)
        }
        let server = try LoopbackServer.scripted(
            options: options,
            [.readHead, .waitFor(gate), .readBody, answer]
        )
        let process = try courier.start("send", server.url, file)
        _ = try await process.output(containing: "sent: ")
        gate.open()
        #expect(try await NativeThread.run { process.waitForEnd() } == 0)
        let lines = process.output.split(separator: "\n")
        let length = try #require(lines.last?.split(separator: " ").last.flatMap { Int($0) })
        #expect(length > content.utf8.count)
        #expect(lines.last == "number: \(length)")
        #expect(lines.count > 2, "it is delivered more than once")
        #expect(lines.dropLast().last == "sent: \(length) of \(length)")
    }

    @Test func consumerResumesInterruptedDownload() async throws {
        let content = Content.numbered(1, count: 200_000)
        let server = try LoopbackServer { content.interruptedReply(to: $0, by: [.close]) }
        let folder = try TemporaryDirectory()
        let file = folder.path("letter.bin")
        let (status, output) = try await courier.run("fetch", server.url, "letters/1", file)
        #expect(status == 0, "\(output)")
        #expect(output == "resumed at: 100000\nfetched: letter.bin\n")
        #expect(try folder.read("letter.bin") == content.bytes)
    }

    @Test(.enabled(if: NginxPeer.isAvailable))
    func consumerRejectsUnpinnedServer() async throws {
        let peer = try await NginxPeer.shared()
        let folder = try TemporaryDirectory()
        func pin(_ path: (Certificates) -> String) throws -> String {
            let certificate = try peer.certificate(path)
            return try folder.write([UInt8](certificate), to: UUID().uuidString)
        }
        let (own, other) = (
            try pin { $0.selfSigned.certificate }, try pin { $0.server.certificate }
        )
        let (url, file) = (peer.url(.selfSigned, "/"), folder.path("hello.txt"))
        let good = try await courier.run("--pin", own, "fetch", url, "hello.txt", file)
        #expect(good.output == "fetched: hello.txt\n")
        #expect(try folder.read("hello.txt") == Array("hello, world\n".utf8))
        for pin in [["--pin", other], []] {
            let refused = folder.path("refused.txt")
            let bad = try await courier.run(arguments: pin + ["fetch", url, "hello.txt", refused])
            #expect(bad.status == 1)
            #expect(bad.output == "failed: NSURLErrorDomain -1202\n")
            #expect(!FileManager.default.fileExists(atPath: refused))
        }
    }

    @Test func consumerReadsXMLDocument() async throws {
        let server = try LoopbackServer { _ in
            Reply(
                headers: [("Content-Type", "application/xml")],
                body: .bytes(Array("<feed><entry/></feed>".utf8))
            )
        }
        let (status, output) = try await Consumer(name: "FeedReader").run(server.url)
        #expect(status == 0)
        #expect(output == "feed\n")
    }

    // MARK: Linked libraries

    @Test func consumersLinkNeitherFoundationNetworkingNorXML() async throws {
        let libraries = try await courier.libraries()
        #expect(libraries.contains("libcurl.so.4") && libraries.contains("libFoundation.so"))
        let unwanted = libraries.filter { name in
            ["libFoundationNetworking", "libFoundationXML", "libxml2"].contains {
                name.hasPrefix($0)
            }
        }
        #expect(unwanted.isEmpty)
    }

    @Test func onlyXMLProductLinksFoundationXML() async throws {
        let libraries = try await Consumer(name: "FeedReader").libraries()
        #expect(libraries.isSuperset(of: ["libFoundationXML.so", "libxml2.so.2"]))
        #expect(!libraries.contains("libFoundationNetworking.so"))
    }
}
