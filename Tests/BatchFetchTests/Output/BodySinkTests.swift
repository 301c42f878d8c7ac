import HTTPSemantics
import Synchronization
import TestSupport
import Testing

@testable import BatchFetch

/// Bodies that aren't written to a disk: in memory, inspected or dropped.
@Suite(.timeLimit(.minutes(10))) struct BodySinkTests {
    private let flow = RecordedFlow()

    private func receive(_ text: String, _ sink: any BodySink) -> String {
        "\(sink.receive(Array(text.utf8).span, flow: flow))"
    }

    /// An inspector that gives every complete body the same answer.
    private final class FixedInspector: BodyInspector {
        let text = Mutex("")
        let ends = Counter()
        let complaint: String?

        init(_ complaint: String?) {
            self.complaint = complaint
        }

        func inspect(_ bytes: Span<UInt8>) {
            for index in bytes.indices {
                let scalar = Unicode.Scalar(bytes[index])
                text.withLock { $0.unicodeScalars.append(scalar) }
            }
        }

        func finish() -> String? {
            ends.increment()
            return complaint
        }
    }

    @Test func bodyOfExactlyTheLimitIsReturned() async {
        let sink = MemorySink(limit: 5)
        #expect(receive("ab", sink) == "more" && receive("", sink) == "more")
        #expect(receive("cde", sink) == "more")
        let end = await withCheckedContinuation { continuation in
            sink.finish(isComplete: true) { continuation.resume(returning: $0) }
        }
        guard case .memory(let bytes) = end else {
            Issue.record("\(end.summary)")
            return
        }
        #expect(bytes == Array("abcde".utf8))
    }

    @Test(arguments: [["abcdef"], ["abcde", "f"], ["abc", "def", ""]], [true, false])
    func bodyBeyondTheLimitFails(pieces: [String], isComplete: Bool) async {
        let sink = MemorySink(limit: 5)
        #expect(pieces.map { receive($0, sink) }.contains("stop"))
        #expect(
            await sink.ending(isComplete: isComplete)
                == "failed body_too_large: the body exceeds 5 bytes: raise the limit, or write files"
        )
    }

    @Test(arguments: [0, -1, .min])
    func limitBelowOneAllowsAnEmptyBody(limit: Int) async {
        let empty = MemorySink(limit: limit)
        #expect(await empty.ending(isComplete: true) == "memory 0")
        let sink = MemorySink(limit: limit)
        #expect(receive("a", sink) == "stop")
        #expect(await sink.ending(isComplete: true).contains("exceeds 0 bytes: "))
    }

    @Test func incompleteBodyIsNotReturned() async {
        let sink = MemorySink(limit: 5)
        #expect(receive("ab", sink) == "more")
        #expect(await sink.ending(isComplete: false) == "dropped")
    }

    @Test func inspectorRejectsACompleteBody() async {
        let inspector = FixedInspector("no title")
        let sink = InspectorSink(inspector)
        for piece in ["ab", "", "c"] { #expect(receive(piece, sink) == "more") }
        #expect(await sink.ending(isComplete: true) == "failed verification: no title")
        #expect(inspector.text.withLock { $0 } == "abc")
    }

    @Test func inspectorAcceptsABodyAndIsNotAskedAboutAPart() async {
        let accepting = FixedInspector(nil)
        #expect(await InspectorSink(accepting).ending(isComplete: true) == "dropped")
        #expect(accepting.ends.value == 1)
        let rejecting = FixedInspector("too short")
        #expect(await InspectorSink(rejecting).ending(isComplete: false) == "dropped")
        #expect(rejecting.ends.value == 0)
    }

    @Test func verifierComputesEveryDigestOnce() throws {
        let list = try #require(
            ExpectedDigest(.md5, hexadecimal: "900150983CD24FB0D6963F7D28E17F72")
        )
        let verifier = try #require(
            BodyVerifier(computing: [.sha256, .md5], expecting: [list, list])
        )
        for piece in ["a", "", "bc"] { verifier.update(Array(piece.utf8).span) }
        for _ in 0..<2 {
            let (digests, failure) = verifier.finish()
            #expect(failure == nil)
            let abc = Array("abc".utf8)
            #expect(
                digests == [
                    .md5: MessageDigest.of(abc, .md5), .sha256: MessageDigest.of(abc, .sha256),
                ]
            )
        }
    }

    @Test func verifierNamesTheSourceOfTheWrongDigest() throws {
        let abc = Array("abc".utf8)
        let right = ExpectedDigest(
            .sha1,
            bytes: MessageDigest.of(abc, .sha1),
            source: "Repr-Digest"
        )
        let zeros = [UInt8](repeating: 0, count: 16)
        let wrong = ExpectedDigest(.md5, bytes: zeros, source: "Content-MD5")
        let verifier = try #require(BodyVerifier(computing: [], expecting: [right, wrong]))
        verifier.update(abc.span)
        let failure = verifier.finish().failure
        #expect(failure?.code == .verification)
        #expect(
            failure?.message == "the body's md5 is 900150983cd24fb0d6963f7d28e17f72 instead of "
                + "00000000000000000000000000000000 as Content-MD5 says"
        )
        #expect(verifier.finish().failure == failure)
    }

    @Test func nothingToComputeNeedsNoVerifier() {
        #expect(BodyVerifier(computing: [], expecting: []) == nil)
    }
}
