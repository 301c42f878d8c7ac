internal import CurlNetworking
internal import CurlURLSession
internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct MultipartStreamTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("M-15, M-14: A form yields the same bytes for reads of any size")
    func aFormReadsTheSameInPiecesOfAnySize() throws {
        func form(_ form: any MultipartFormData) throws {
            try Forms.appendAll(to: form, in: folder)
            form.appendPart(
                with: InputStream(data: Data("streamed".utf8)),
                name: "s",
                fileName: "s.txt",
                length: 8,
                mimeType: "text/plain"
            )
        }
        let whole = try Forms.text(Forms.request { try form($0) })
        #expect(whole.hasSuffix("\r\n\r\nstreamed\r\n--B--\r\n"))
        #expect(whole.contains("filename=\"empty.bin\""))
        for size in Array(1...200) + [255, 1000, 1 << 20] {
            let request = try Forms.request { try form($0) }
            let bytes = try Forms.bytes(request.httpBodyStream, by: size)
            #expect(request.value(forHTTPHeaderField: "Content-Length") == "\(bytes.count)")
            let text = String(decoding: bytes, as: UTF8.self)
                .replacingOccurrences(of: Forms.boundary(request), with: "B")
            #expect(text == whole, "in pieces of \(size)")
        }
    }

    @Test("M-15: A form yields the same bytes for reads of random sizes")
    func aFormReadsTheSameInPiecesOfRandomSizes() throws {
        var generator = SeededGenerator(seed: 7)
        let request = try Forms.request { try Forms.appendAll(to: $0, in: folder) }
        let stream = try #require(request.httpBodyStream as? any InputStream & NSCopying)
        let whole = try Forms.bytes(stream)
        for _ in 0..<200 {
            let copy = try #require(stream.copy(with: nil) as? InputStream)
            copy.open()
            var bytes: [UInt8] = []
            while case let next = try copy.readBytes(upTo: .random(in: 1...40, using: &generator)),
                !next.isEmpty
            {
                bytes += next
            }
            #expect(bytes == whole)
            #expect(copy.streamStatus == .atEnd)
        }
    }

    @Test("M-17: A copy of a form starts at the first byte and keeps the throttle")
    func aCopyBeginsWithTheFirstByte() throws {
        let request = try Forms.request { form in
            try Forms.appendAll(to: form, in: folder)
            form.throttleBandwidth(withPacketSize: 7, delay: 0)
        }
        let stream = try #require(request.httpBodyStream as? any InputStream & NSCopying)
        stream.open()
        let first = try stream.readBytes(upTo: 100)
        #expect(first.count == 7)
        let copy = try #require(stream.copy(with: nil) as? InputStream)
        let bytes = try Forms.bytes(copy)
        #expect(bytes.starts(with: first))
        #expect(first + (try Forms.bytes(stream)) == bytes)
        let again = try #require(stream.copy(with: nil) as? InputStream)
        again.open()
        #expect(try again.readBytes(upTo: 100) == first)
    }

    @Test("M-12: A throttled form returns at most one packet, and reports its delay")
    func aThrottledFormGivesAPacketAtMost() throws {
        func pace(_ size: Int, _ delay: TimeInterval) throws -> StreamPace? {
            let request = try Forms.request { form in
                form.appendPart(withForm: Data(count: 100), name: "f")
                form.throttleBandwidth(withPacketSize: size, delay: delay)
            }
            let stream = try #require(request.httpBodyStream)
            stream.open()
            #expect(try stream.readBytes(upTo: 1000).count == max(1, size))
            return (stream as? any RestartableStream)?.pace
        }
        #expect(try pace(16, 0.25) == StreamPace(packetSize: 16, delay: .milliseconds(250)))
        #expect(try pace(0, -1) == StreamPace(packetSize: 1, delay: .zero))
        #expect(try pace(2, .nan) == StreamPace(packetSize: 2, delay: .zero))
        #expect(try pace(3, .infinity)?.delay == .seconds(1_000_000_000))
    }

    @Test("M-07: A file whose length has changed, or that was deleted, is an error")
    func aFileThatHasChangedFails() throws {
        let changes: [(String) throws -> Void] = [
            { _ = try folder.write("longer than before", to: $0) },
            { _ = try folder.write("short", to: $0) },
            { try FileManager.default.removeItem(atPath: folder.path($0)) },
        ]
        for (number, change) in changes.enumerated() {
            let name = "\(number).txt"
            let url = URL(fileURLWithPath: try folder.write("as it was", to: name))
            let request = try Forms.request { form in
                try form.appendPart(withFileURL: url, name: "f")
                form.appendPart(withForm: Data("after".utf8), name: "g")
            }
            try change(name)
            let stream = try #require(request.httpBodyStream)
            let error = #expect(throws: NSError.self) { try Forms.bytes(stream) }
            #expect(stream.streamStatus == .error && stream.streamError != nil)
            guard number < 2 else { continue }
            #expect(error?.domain == URLRequestSerializationErrorDomain && error?.code == -1021)
        }
    }

    @Test("M-07: Symbolic links are followed, and the file is opened when its part is reached")
    func aFilesLinkIsFollowed() throws {
        let path = try folder.write("content", to: "original")
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let request = try Forms.request {
            try $0.appendPart(withFileURL: URL(fileURLWithPath: link), name: "f")
        }
        // The new content has the same length.
        try folder.write("CONTENT", to: "original")
        #expect(try Forms.text(request).contains("\r\n\r\nCONTENT\r\n"))
    }

    private func streamed(_ stream: InputStream?, length: Int64) throws -> URLRequest {
        try Forms.request { form in
            form.appendPart(
                with: stream,
                name: "s",
                fileName: "s",
                length: length,
                mimeType: "text/plain"
            )
        }
    }

    @Test("M-08: A stream that is shorter or longer than stated is an error")
    func aStreamHasToHaveItsBytes() throws {
        let data = Data("12345".utf8)
        let right = try streamed(InputStream(data: data), length: 5)
        #expect(try Forms.text(right).contains("\r\n\r\n12345\r\n--B--"))
        #expect(try Forms.text(streamed(nil, length: 0)).contains("\r\n\r\n\r\n--B--"))
        for length: Int64 in [4, 6, 0, -1, .max] {
            let request = try streamed(InputStream(data: data), length: length)
            let error = #expect(throws: NSError.self) { try Forms.bytes(request.httpBodyStream) }
            #expect(error?.domain == URLRequestSerializationErrorDomain && error?.code == -1021)
        }
        let missing = try streamed(nil, length: 1)
        #expect(throws: NSError.self) { try Forms.bytes(missing.httpBodyStream) }
    }

    @Test("M-08, M-15: Closing a form midway closes the stream of its current part")
    func aFormThatIsClosedClosesItsStream() throws {
        let part = InputStream(data: Data(repeating: 7, count: 1000))
        let stream = try #require(try streamed(part, length: 1000).httpBodyStream)
        stream.open()
        while part.streamStatus == .notOpen { _ = try stream.readBytes(upTo: 10) }
        stream.close()
        #expect(part.streamStatus == .closed)
    }

    @Test("M-08, M-17: A stream part can be read once; the error of the second read says so")
    func aStreamsPartIsReadOnce() throws {
        let request = try streamed(InputStream(data: Data("12345".utf8)), length: 5)
        let stream = try #require(request.httpBodyStream as? any InputStream & NSCopying)
        _ = try Forms.bytes(stream)
        let copy = try #require(stream.copy(with: nil) as? InputStream)
        let error = #expect(throws: NSError.self) { try Forms.bytes(copy) }
        #expect(error?.localizedFailureReason?.contains("“s”") ?? false)
    }

    @Test("M-18: A part's read error is the form's error, not its end")
    func aPartsReadErrorIsTheStreamsError() throws {
        let request = try streamed(FailingStream(after: 3), length: 10)
        let stream = try #require(request.httpBodyStream)
        #expect(throws: FailingStream.Failure.self) { try Forms.bytes(stream) }
        #expect(stream.streamStatus == .error && stream.streamError is FailingStream.Failure)
        // The error persists.
        #expect(throws: FailingStream.Failure.self) { try stream.readBytes(upTo: 1) }
    }

    @Test("M-16: A form can be read while the main thread waits for it")
    func aFormIsReadWhileTheMainThreadWaits() async throws {
        let request = try Forms.request { try Forms.appendAll(to: $0, in: folder) }
        // The reader has its own thread, which is joined only if it is done: other tests use the
        // main queue, too.
        let isRead = try await MainActor.run {
            let done = DispatchSemaphore(value: 0)
            let thread = try NativeThread(name: "reader") {
                _ = try? Forms.bytes(request.httpBodyStream)
                done.signal()
            }
            let isRead = done.wait(timeout: .now() + 60) == .success
            if isRead { thread.join() }
            return isRead
        }
        #expect(isRead)
    }

    @Test("M-15: A stream that isn't open can't be read")
    func aClosedStreamGivesNothing() throws {
        let stream = try #require(try Forms.request(["a": 1]).httpBodyStream)
        #expect(stream.streamStatus == .notOpen && !stream.hasBytesAvailable)
        #expect(throws: (any Error).self) { try stream.readBytes(upTo: 1) }
        stream.open()
        #expect(stream.streamStatus == .open && stream.hasBytesAvailable)
        #expect(try stream.readBytes(upTo: 2) == Array("--".utf8))
        stream.close()
        #expect(throws: (any Error).self) { try stream.readBytes(upTo: 1) }
    }
}
