import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Bodies that wait on disk until their results are written.
@Suite struct ResultBodyTests {
    let folder: TemporaryDirectory
    let store: BodyStore

    init() throws {
        folder = try TemporaryDirectory()
        store = BodyStore(folder: folder.path)
    }

    private func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 31 / 7) }
    }

    private func stored(_ bytes: [UInt8], pieces: Int = 10_000) throws -> BodyEnd {
        let body = ResultBody(in: store, limit: .max)
        var rest = bytes[...]
        while !rest.isEmpty {
            try body.append(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        return try body.commit()
    }

    private func content(_ body: StoredBody) throws -> [UInt8] {
        var all: [UInt8] = []
        while let block = try body.next() { all += block }
        return all
    }

    @Test("A small body stays in memory")
    func smallBodyStaysInMemory() throws {
        guard case .memory(let all) = try stored(bytes(64 * 1024, 1)) else {
            Issue.record("it is on disk")
            return
        }
        #expect(all == bytes(64 * 1024, 1))
    }

    @Test("Large bodies are read back from one file without a name, whose space is used again")
    func largeBodiesAreOnDisk() throws {
        for round in 0..<3 {
            var bodies: [(StoredBody, [UInt8])] = []
            for (index, count) in [65_537, 200_000, 8192 * 20].enumerated() {
                let expected = bytes(count, round + index)
                guard case .stored(let body) = try stored(expected) else {
                    Issue.record("\(count) bytes are in memory")
                    return
                }
                #expect(body.count == count)
                bodies.append((body, expected))
            }
            #expect(try folder.contents() == [])
            // One body is released without being read.
            for (body, expected) in bodies.dropLast() { #expect(try content(body) == expected) }
        }
        #expect(try store.write([1]) == 0, "all space is free")
    }

    @Test("A body that is too large fails, and its space is free")
    func tooLargeBodyFails() throws {
        let body = ResultBody(in: store, limit: 100_000)
        try body.append(bytes(100_000, 1))
        let failure = #expect(throws: BatchFailure.self) { try body.append([1]) }
        #expect(failure?.code == .bodyTooLarge)
        body.drop()
        #expect(try store.write([1]) == 0)
    }

    @Test("Base 64 is the same in pieces of any size", arguments: [1, 2, 3, 4, 8192])
    func piecesOfBase64AreOneText(size: Int) {
        for count in [0, 1, 2, 3, 10, 10_000] {
            let all = bytes(count, 3)
            let expected = Array(Data(all).base64EncodedString().utf8)
            var encoder = Base64Pieces()
            var text: [UInt8] = []
            var rest = all[...]
            while !rest.isEmpty {
                text += encoder.encode(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            text += encoder.end()
            #expect(text == expected)
        }
    }
}
