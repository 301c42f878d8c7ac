internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Complete and truncated compressed bodies in every framing.
@Suite(.timeLimit(.minutes(10))) struct CodedBodyTests {
    enum Framing: CaseIterable {
        case length
        case chunks
        case oneChunkForEachByte
        case connection

        func body(_ bytes: [UInt8]) -> Reply.Body {
            switch self {
            case .length: .bytes(bytes)
            case .chunks: .chunks([bytes], trailers: [("X-Trailer", "t")])
            case .oneChunkForEachByte: .chunks(bytes.map { [$0] }, trailers: [])
            case .connection: .untilClosed(bytes)
            }
        }
    }

    @discardableResult
    private func get(
        _ bytes: [UInt8],
        _ coding: String,
        framing: Framing = .length,
        status: Int = 200,
        delegate: RecordingDelegate = RecordingDelegate(),
        _ configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> RecordingDelegate {
        let reply = Reply(
            status,
            headers: [("Content-Encoding", coding)],
            body: framing.body(bytes)
        )
        let server = try LoopbackServer { _ in reply }
        let rig = try Rig()
        try rig.start(server.url, delegate: delegate, configure)
        _ = try await delegate.completion()
        return delegate
    }

    @Test(arguments: CompressedSample.all, Framing.allCases)
    func completeBodyIsDecoded(_ sample: CompressedSample, _ framing: Framing) async throws {
        let delegate = try await get(sample.bytes, sample.coding, framing: framing)
        #expect(delegate.error == nil)
        #expect(delegate.body == CompressedSample.text)
    }

    @Test(arguments: CompressedSample.all, Framing.allCases)
    func truncatedCompressedBodyIsAnError(_ sample: CompressedSample, _ framing: Framing)
        async throws
    {
        for missing in [1, 9, sample.bytes.count - 1] {
            let bytes = Array(sample.bytes.dropLast(missing))
            let delegate = try await get(bytes, sample.coding, framing: framing)
            #expect(delegate.error?.code == .truncatedResponse)
            #expect(delegate.error?.message.contains("compressed") == true)
        }
    }

    @Test(arguments: Framing.allCases)
    func emptyBodyIsEmptyForEveryCoding(_ framing: Framing) async throws {
        for coding in ["gzip", "deflate, br", "zstd", "rot13"] {
            let delegate = try await get([], coding, framing: framing)
            #expect(delegate.error == nil)
            #expect(delegate.body.isEmpty)
        }
    }

    @Test func partialContentNeedNotEndItsCoding() async throws {
        let bytes = Array(CompressedSample.gzip.bytes.dropLast(20))
        let delegate = try await get(bytes, "gzip", status: 206)
        #expect(delegate.error == nil)
        #expect(CompressedSample.text.starts(with: delegate.body))
    }

    @Test func bodyIsNotDecodedWhenDisabled() async throws {
        let bytes = Array(CompressedSample.gzip.bytes.dropLast(20))
        let delegate = try await get(bytes, "gzip") { $0.decodesContent = false }
        #expect(delegate.error == nil)
        #expect(delegate.body == bytes)
    }

    @Test func errorNamesUnknownCoding() async throws {
        let delegate = try await get([1, 2, 3], "rot13")
        #expect(delegate.error?.code == .decodingFailed)
        #expect(delegate.error?.message.contains("\"rot13\"") == true)
    }

    /// The reported size of the compressed body is exact in every framing.
    @Test(arguments: Framing.allCases)
    func encodedSizeIsReported(_ framing: Framing) async throws {
        let bytes = CompressedSample.gzip.bytes
        let delegate = try await get(bytes, "gzip", framing: framing)
        #expect(delegate.encodedBytes.last == Int64(bytes.count))
    }

    /// The transfer pauses within bytes that libcurl has delivered.
    @Test(arguments: Framing.allCases)
    func bodyIsCompleteWhenReaderPausesAtEachPiece(_ framing: Framing) async throws {
        let count = framing == .oneChunkForEachByte ? 10 : 1000
        let bytes = Array(repeatElement(CompressedSample.gzip.bytes, count: count).joined())
        let delegate = RecordingDelegate {
            $0.body = { _, transfer in
                transfer.resumeReceiving()
                return .pause
            }
        }
        try await get(bytes, "gzip", framing: framing, delegate: delegate)
        #expect(delegate.error == nil)
        #expect(delegate.body == Array(repeatElement(CompressedSample.text, count: count).joined()))
        #expect(delegate.encodedBytes.last == Int64(bytes.count))
    }

    /// 112 bytes that expand to 1 MB of empty deflate blocks.
    ///
    /// Each block has codes that the decoder must build.
    @Test func decodingWithoutOutputDoesNotStarveOthers() async throws {
        let digits =
            "1f8b080000000000020393efe660000126e6b72736f2362888381c9ceff150402cef70988495d9a2"
            + "52792b3587e70fe2be16bd5c9b5e73f7fc89c2adf5c9df26191c9348ee311c254689516294182546"
            + "8951629418258621b1475d7e23c312d155ffcffde767000088dd2f742e0a0000"
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(digits.dropFirst($0).prefix(2), radix: 16)
        }
        let delegate = try await get(bytes, "deflate, gzip, gzip")
        #expect(delegate.error == nil)
        #expect(delegate.body.isEmpty)
        // Each turn handles 128 KiB or a little more.
        #expect(delegate.events.filter { $0 == .endTurn }.count >= 6)
    }
}
