internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests compressed data that ends early in a response of the announced length.
@Suite(.timeLimit(.minutes(10))) struct CodedResponseTests {
    @Test(arguments: CompressedSample.all)
    func completeResponseIsDecoded(_ sample: CompressedSample) async throws {
        let server = try LoopbackServer { _ in sample.reply() }
        let (data, _) = try await URLSession.test().data(from: try server.at("/"))
        #expect(Array(data) == CompressedSample.text)
    }

    @Test(arguments: CompressedSample.all)
    func truncatedDataIsALostConnection(_ sample: CompressedSample) async throws {
        let server = try LoopbackServer { _ in sample.reply(missing: 4) }
        let url = try server.at("/")
        let session = URLSession.test()
        let error = try await urlError { _ = try await session.data(from: url) }
        #expect(error.code == .networkConnectionLost)
        #expect(error.reason.contains("compressed"), "\(error)")
    }

    @Test(arguments: CompressedSample.all)
    func truncatedDownloadLeavesNoFile(_ sample: CompressedSample) async throws {
        let server = try LoopbackServer { _ in sample.reply(missing: 4) }
        let url = try server.at("/")
        let session = URLSession.test()
        let error = try await urlError { _ = try await session.download(from: url) }
        #expect(error.code == .networkConnectionLost)
    }

    @Test func truncatedResponseIsNotCached() async throws {
        let whole = CompressedSample.gzip
        let cut = EventRecorder<Int>()
        let server = try LoopbackServer { _ in
            cut.record(1)
            let bytes = Array(whole.bytes.dropLast(cut.events.count == 1 ? 8 : 0))
            return Reply(
                headers: [("Content-Encoding", "gzip"), ("Cache-Control", "max-age=1000")],
                body: .bytes(bytes)
            )
        }
        let url = try server.at("/")
        let session = URLSession.test {
            $0.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        }
        _ = try await urlError { _ = try await session.data(from: url) }
        let (data, _) = try await session.data(from: url)
        #expect(Array(data) == CompressedSample.text)
        session.invalidateAndCancel()
    }
}
