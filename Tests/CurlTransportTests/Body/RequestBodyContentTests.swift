internal import CurlTransport
internal import TestSupport
internal import Testing

/// Stubs and middleware read the content of requests.
@Suite(.timeLimit(.minutes(10))) struct RequestBodyContentTests {
    private static let list = ChunkList(chunks: [[1, 2], [3]])

    @Test("The content of each kind of body can be read")
    func contentIsRead() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("0123456789", to: "file")
        let list = Self.list
        #expect(try await RequestBody.none.collect(upTo: 0) == [])
        #expect(try await RequestBody.bytes([1, 2]).collect(upTo: 2) == [1, 2])
        #expect(try await RequestBody.text("ä").collect(upTo: 2) == [0xC3, 0xA4])
        let file = RequestBody.file(path: folder.path("file"), from: 7)
        #expect(try await file.collect(upTo: 3) == Array("789".utf8))
        #expect(try await RequestBody.stream(list).collect(upTo: 3) == [1, 2, 3])
        let again = RequestBody.stream(length: 3, restartable: { list })
        for _ in 0..<2 { #expect(try await again.collect(upTo: 3) == [1, 2, 3]) }
    }

    @Test("A body tells its length, and whether it can be sent again")
    func bodyTellsItsFacts() {
        let list = Self.list
        #expect(RequestBody.none.isNone && !RequestBody.bytes([]).isNone)
        #expect(RequestBody.none.length == 0)
        #expect(RequestBody.text("abc").length == 3)
        #expect(RequestBody.file(path: "/a").length == nil)
        #expect(RequestBody.stream(length: 4, list).length == 4)
        #expect(RequestBody.stream(list).length == nil)
        #expect(RequestBody.text("abc").isReplayable)
        #expect(RequestBody.file(path: "/a").isReplayable)
        #expect(!RequestBody.stream(list).isReplayable)
        #expect(RequestBody.stream(restartable: { list }).isReplayable)
    }

    @Test("Content that can't be read, or is too long, fails with the reason")
    func unreadableContentFails() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("0123456789", to: "file")
        let path = folder.path("file")
        let broken = ChunkList(chunks: [[1]], failure: ChunkList.Broken())
        let cases: [(RequestBody, Int, String)] = [
            (.bytes([1, 2]), 1, "longer than the limit of 1"),
            (.file(path: path), 9, "longer than the limit of 9"),
            (.file(path: path, from: 11), 99, "from byte 11"),
            (.file(path: folder.path("none")), 99, "No such file"),
            (.stream(Self.list), 2, "longer than the limit of 2"),
            (.stream(length: 4, Self.list), 9, "3 bytes, and 4 were announced"),
            (.stream(broken), 9, "Broken"),
        ]
        for (body, limit, reason) in cases {
            let error = await #expect(throws: TransportError.self) {
                try await body.collect(upTo: limit)
            }
            #expect(error?.code == .requestBodyFailed)
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "-")")
        }
        let error = await #expect(throws: TransportError.self) {
            try await RequestBody.stream(broken).collect(upTo: 9)
        }
        #expect(error?.underlying is ChunkList.Broken)
    }
}
