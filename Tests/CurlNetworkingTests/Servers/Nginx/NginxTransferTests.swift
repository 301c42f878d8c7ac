internal import CurlNetworking
internal import CurlTransport
internal import Foundation
internal import TestSupport
internal import Testing

/// Transfers between a manager and nginx.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct NginxTransferTests {
    private let folder = try? TemporaryDirectory()

    private func file(_ name: String) throws -> URL {
        URL(fileURLWithPath: try #require(folder).path(name))
    }

    /// The certificate challenge is slow, because it is answered on the operation queue.
    @Test func requestsShareAConnectionOverHTTP2() async throws {
        let manager = try await NginxPeer.shared().manager(.https) { $0.httpVersion = .http2 }
        let first = try await manager.text("connection").split(separator: " ")
        #expect(first[0] == "HTTP/2.0" && first[1] == "TLSv1.3")
        let answers = try await withThrowingTaskGroup(of: [Substring].self) { group in
            for _ in 0..<50 {
                group.addTask { try await manager.text("connection").split(separator: " ") }
            }
            return try await group.reduce(into: [[Substring]]()) { $0.append($1) }
        }
        #expect(answers.count == 50)
        #expect(Set(answers.map { $0[4] }) == [first[4]])
        let old = try await NginxPeer.shared().manager(.http1Only)
        #expect(try await old.text("connection").hasPrefix("HTTP/1.1 TLSv1.3"))
    }

    /// Over HTTP/2, nginx responds before it has read the upload.
    @Test(
        arguments: [NginxPeer.Port.http, .https, .http1Only],
        [0, 1, 16_384, 1_000_003, 20 << 20]
    )
    func uploadsOfAnySizeReachTheServer(_ port: NginxPeer.Port, _ size: Int) async throws {
        let manager = try await NginxPeer.shared().manager(port) { $0.httpVersion = .http1 }
        var request = URLRequest(
            url: try #require(URL(string: "discard", relativeTo: manager.baseURL))
        )
        request.httpMethod = "POST"
        let body = Data(repeating: 7, count: size)
        let sent = EventRecorder<Int64>()
        let (answer, _) = try await manager.upload(for: request, from: body) { progress in
            sent.record(progress.completedUnitCount)
        }
        #expect(answer as? Data == Data("\(size)\n".utf8))
        #expect((sent.events.last ?? 0) == Int64(size))
        #expect(sent.events == sent.events.sorted())
        let file = try file("body")
        try body.write(to: file)
        let (second, _) = try await manager.upload(for: request, fromFile: file)
        #expect(second as? Data == Data("\(size)\n".utf8))
    }

    @Test(arguments: [NginxPeer.Port.http, .https])
    func formHasItsAnnouncedLength(_ port: NginxPeer.Port) async throws {
        let manager = try await NginxPeer.shared().manager(port) { $0.httpVersion = .http1 }
        let file = try file("large")
        let size = 8 << 20
        try Data(repeating: 7, count: size).write(to: file)
        let totals = EventRecorder<[Int64]>()
        let answer = try await manager.post(
            "discard",
            progress: { totals.record([$0.completedUnitCount, $0.totalUnitCount]) },
            constructingBodyWith: { try $0.appendPart(withFileURL: file, name: "file") }
        )
        let last = try #require(totals.events.last)
        #expect(answer as? Data == Data("\(last[0])\n".utf8))
        #expect(last[0] == last[1] && last[0] > Int64(size))
    }

    @Test(arguments: [NginxPeer.Port.http, .https])
    func rangeRequestsReturnOnlyTheirRanges(_ port: NginxPeer.Port) async throws {
        let manager = try await NginxPeer.shared().manager(port)
        let bytes = NginxPeer.megabyte
        for (range, expected) in [
            ("bytes=0-99", bytes[0..<100]), ("bytes=1000-1999", bytes[1000..<2000]),
            ("bytes=-50", bytes.suffix(50)), ("bytes=1048575-", bytes.suffix(1)),
        ] {
            let part = try await manager.get("1m.bin", headers: ["Range": range])
            #expect(part as? Data == Data(expected))
        }
        let error = try await #require(throws: (any Error).self) {
            try await manager.get("1m.bin", headers: ["Range": "bytes=1048576-"])
        }
        #expect(NetworkingError(error).responseCode == 416)
        manager.requestSerializer.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
        #expect(try await manager.get("gzip/1m.bin") as? Data == Data(bytes))
    }

    @Test(arguments: [NginxPeer.Port.http, .https])
    func cancelledDownloadResumes(_ port: NginxPeer.Port) async throws {
        let peer = try await NginxPeer.shared()
        let name = "resumed-\(port).bin"
        let bytes = Array(NginxPeer.megabyte.prefix(150_000))
        try peer.makeFile(name, bytes)
        let manager = peer.manager(port)
        let url = try #require(URL(string: "slow/" + name, relativeTo: manager.baseURL))
        let begun = Gate()
        manager.setDownloadTaskDidWriteData { _, _, _, written, _ in
            if written > 0 { begun.open() }
        }
        let task = manager.downloadTask(with: URLRequest(url: url), completionHandler: nil)
        task.resume()
        try await begun.wait()
        let data = try #require(await task.cancelByProducingResumeData())
        let offsets = EventRecorder<Int64>()
        manager.setDownloadTaskDidResume { _, _, offset, _ in offsets.record(offset) }
        let target = try file("whole")
        let (file, response) = try await manager.download(resumeFrom: data) { _, _ in target }
        #expect((response as? HTTPURLResponse)?.statusCode == 206)
        #expect(try Data(contentsOf: file) == Data(bytes))
        let offset = try #require(offsets.events.first)
        #expect(offset > 0 && offset < Int64(bytes.count))
    }

    @Test func statusDeterminesTheResult() async throws {
        let manager = try await NginxPeer.shared().manager(.https)
        #expect(try await manager.get("no-content") as? Data == Data())
        #expect(try await manager.text("redirect") == "hello, world\n")
        let error = try await #require(throws: (any Error).self) {
            try await manager.get("unavailable")
        }
        #expect(NetworkingError(error).responseCode == 503)
        #expect(NetworkingError(error).responseData == Data("later\n".utf8))
    }
}
