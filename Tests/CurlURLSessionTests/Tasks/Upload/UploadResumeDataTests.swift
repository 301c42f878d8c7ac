internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests the resume data of uploads, valid and invalid.
@Suite(.timeLimit(.minutes(10))) struct UploadResumeDataTests {
    private typealias Server = UploadServer

    // MARK: The file

    private enum Change: CaseIterable {
        case removed
        case shortened
        case written
    }

    @Test(arguments: Change.allCases)
    private func aFileThatIsNotAsItWasIsAnErrorBeforeAnythingIsSent(_ change: Change)
        async throws
    {
        let gate = Gate()
        let server = try Server.start(gate)
        let folder = try TemporaryDirectory()
        let path = try folder.write([UInt8](Server.content), to: "body")
        let url = URL(fileURLWithPath: path)
        let session = URLSession.test()
        let request = Server.post(try server.at("/files"))
        let delegate = Server.delegate(opening: gate)
        let failed = try await urlError {
            _ = try await session.upload(for: request, fromFile: url, delegate: delegate)
        }
        let data = try #require(failed.uploadTaskResumeData)
        let manager = FileManager.default
        switch change {
        case .removed:
            try manager.removeItem(at: url)
        case .shortened:
            let date = try manager.attributesOfItem(atPath: path)[.modificationDate] as? Date
            try folder.write([1, 2, 3], to: "body")
            try manager.setAttributes([.modificationDate: try #require(date)], ofItemAtPath: path)
        case .written:
            let date = Date(timeIntervalSinceNow: -100)
            try manager.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        let error = try await urlError { _ = try await session.upload(resumeFrom: data) }
        #expect(error.code == (change == .removed ? .fileDoesNotExist : .cannotOpenFile))
        #expect(error.uploadTaskResumeData == nil)
        #expect(server.requestCount == 1)
    }

    // MARK: The resume data

    @Test func invalidUploadResumeDataFailsTheTask() async throws {
        let session = URLSession.test()
        for data in [Data(), Data("x".utf8), Data("{}\n".utf8), Data([10])] {
            let error = try await urlError { _ = try await session.upload(resumeFrom: data) }
            #expect(error.code == .cannotDecodeRawData)
        }
    }

    @Test func taskNeverStartedKeepsItsResumeData() async throws {
        let gate = Gate()
        let server = try Server.start(gate)
        let session = URLSession.test()
        let data = try await Server.resumeData(server, session, opening: gate)
        let task = session.uploadTask(withResumeData: data)
        let kept = try #require(await task.cancelByProducingResumeData())
        let (answer, _) = try await session.upload(resumeFrom: kept)
        #expect(answer == Data("done".utf8))
    }

    @Test func unansweredOffsetQueryCanBeRetried() async throws {
        let gate = Gate()
        let server = try LoopbackServer.scripted { connection in
            switch connection {
            case 0: return Server.interruption(gate)
            case 1: return [.readHead, .close]
            default:
                return [.readHead, .respond { Server.has(Server.half).steps(for: $0) }, .readHead]
                    + [.readBody, .respond { Reply.text("done").steps(for: $0) }]
            }
        }
        let session = URLSession.test()
        let first = try await Server.resumeData(server, session, opening: gate)
        let error = try await urlError { _ = try await session.upload(resumeFrom: first) }
        #expect(error.code == .networkConnectionLost)
        let second = try #require(error.uploadTaskResumeData)
        let (answer, _) = try await session.upload(resumeFrom: second)
        #expect(answer == Data("done".utf8))
    }

    private func sample(_ body: Data = Data("0123456789".utf8)) -> Data {
        let head =
            "{\"version\":1,\"resource\":\"http://a.test/u/1\",\"url\":\"http://a.test/f\","
            + "\"method\":\"PUT\",\"fields\":[{\"name\":\"X-A\",\"value\":\"1\"}],"
            + "\"hasLeftOrigin\":false,\"length\":10,\"acknowledged\":2}\n"
        return Data(head.utf8) + body
    }

    private func changed(_ old: String, _ new: String) -> UploadResumeData? {
        let text = String(decoding: sample(), as: UTF8.self)
        #expect(text.contains(old))
        return UploadResumeData(Data(text.replacingOccurrences(of: old, with: new).utf8))
    }

    @Test func uploadResumeDataIsDecodedUnchanged() throws {
        let read = try #require(UploadResumeData(sample()))
        let encoded = try #require(read.encoded)
        let again = try #require(UploadResumeData(encoded))
        for resumed in [read, again] {
            #expect(resumed.length == 10 && resumed.acknowledged == 2)
            #expect(resumed.wholeRequest.url?.absoluteString == "http://a.test/f")
            #expect(resumed.wholeRequest.httpMethod == "PUT")
            #expect(resumed.wholeRequest.allHTTPHeaderFields == ["X-A": "1"])
            #expect(resumed.inquiry.request.httpMethod == "HEAD")
            let rest = resumed.rest(from: 7)
            #expect(rest.request.url?.absoluteString == "http://a.test/u/1")
            guard case .data(let bytes) = rest.body else {
                Issue.record("\(rest.body)")
                continue
            }
            #expect([UInt8](bytes) == Array("789".utf8))
        }
    }

    /// Above all, the rest of the body must not be sent to another origin.
    @Test func inconsistentValuesMakeNoResumeData() {
        #expect(changed("X-A", "X-B") != nil)
        #expect(changed("http://a.test/u/1", "http://b.test/u/1") == nil)
        #expect(changed("http://a.test/u/1", "https://a.test/u/1") == nil)
        #expect(changed("http://a.test/u/1", "http://a.test:81/u/1") == nil)
        #expect(changed("\"version\":1", "\"version\":2") == nil)
        #expect(changed("\"length\":10", "\"length\":11") == nil)
        #expect(changed("\"length\":10", "\"length\":-1") == nil)
        #expect(changed("\"acknowledged\":2", "\"acknowledged\":11") == nil)
        #expect(changed("\"acknowledged\":2", "\"acknowledged\":-2") == nil)
        #expect(changed("0123456789", "012345678") == nil)
    }

    @Test func damagedResumeDataIsAtMostAnError() async throws {
        let session = URLSession.test()
        var random = SeededGenerator(seed: 11)
        for _ in 0..<1000 {
            var damaged = sample()
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<damaged.count, using: &random)
                damaged[index] = UInt8.random(in: .min ... .max, using: &random)
            }
            if Bool.random(using: &random) { damaged = damaged.prefix(damaged.count / 2) }
            // The task loads nothing. Only the parsing of its resume data is tested.
            session.uploadTask(withResumeData: damaged).cancel()
        }
        session.invalidateAndCancel()
    }

    /// A program's own protocol class gets the rest of the body, too.
    @Test func protocolReadsTheRemainderOfAFile() throws {
        let folder = try TemporaryDirectory()
        let url = URL(fileURLWithPath: try folder.write("0123456789", to: "body"))
        let request = URLRequest(url: try #require(URL(string: "http://a.test/u/1")))
        let made = ProtocolRequest.make(
            LoadRequest(request, body: .fileRest(url, from: 7)),
            settings: URLSessionConfiguration.ephemeral.frozen()
        )
        let stream = try #require(made.httpBodyStream)
        stream.open()
        defer { stream.close() }
        #expect(try stream.readBytes(upTo: 100) == Array("789".utf8))
    }

    // MARK: Header values

    @Test(
        arguments: [
            ("0", 0), ("17", 17), ("999999999999999", 999_999_999_999_999), ("5;a=b", 5),
            ("9999999999999999", nil), ("-1", nil), ("1.0", nil), ("", nil), ("+1", nil),
            ("1 2", nil), ("0x1", nil), ("\"1\"", nil), ("٣", nil),
        ] as [(String, Int64?)]
    )
    func offsetsAreWholeNumbers(_ text: String, _ offset: Int64?) {
        #expect(UploadProtocol.offset([text]) == offset)
        #expect(UploadProtocol.offset([text, text]) == nil)
        #expect(UploadProtocol.offset([]) == nil)
    }

    @Test(
        arguments: [
            ("?1", true), ("?0", false), ("?1;a", true), ("1", nil), ("true", nil), ("?2", nil),
            ("", nil),
        ] as [(String, Bool?)]
    )
    func completenessIsABoolean(_ text: String, _ isComplete: Bool?) {
        #expect(UploadProtocol.isComplete([text]) == isComplete)
        #expect(UploadProtocol.isComplete([text, text]) == nil)
    }
}
