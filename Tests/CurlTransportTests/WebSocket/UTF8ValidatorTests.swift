import TestSupport
import Testing

@testable import CurlTransport

@Suite struct UTF8ValidatorTests {
    /// Whether the bytes are valid UTF-8 when validated in pieces of this size.
    private func isValid(_ bytes: [UInt8], pieces: Int = .max) -> Bool {
        var validator = UTF8Validator()
        var start = 0
        while start < bytes.count {
            let end = start + min(pieces, bytes.count - start)
            guard validator.take(bytes.span.extracting(start..<end)) else { return false }
            start = end
        }
        return validator.isComplete
    }

    /// Whether the standard library takes the bytes for valid UTF-8.
    private func isValidByTheLibrary(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    /// All short characters, some of the others, and those at every bound.
    @Test func validCharactersAreAccepted() {
        let bounds: [UInt32] = [0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]
        let others = stride(from: UInt32(0x800), through: 0x10FFFF, by: 331)
        for value in Array(0...0x7FF) + bounds + others {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let bytes = Array(String(scalar).utf8)
            guard isValid(bytes), isValid(bytes, pieces: 1) else {
                Issue.record("U+\(String(value, radix: 16)) is refused")
                return
            }
        }
    }

    @Test func everyFirstByteMatchesStandardLibrary() {
        let seconds: [UInt8] = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF,
        ]
        for first in UInt8.min ... .max {
            for second in seconds {
                for tail in [[UInt8](), [0x80], [0x80, 0x80], [0xBF, 0xBF], [0x41]] {
                    let bytes = [first, second] + tail
                    guard isValid(bytes) == isValidByTheLibrary(bytes),
                        isValid(bytes, pieces: 1) == isValidByTheLibrary(bytes)
                    else {
                        Issue.record("\(bytes)")
                        return
                    }
                }
            }
        }
    }

    @Test(arguments: 0..<4) func randomBytesMatchStandardLibrary(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<300 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<40, using: &generator) {
                let value = UInt32.random(in: 0...0x10FFFF, using: &generator)
                guard let scalar = Unicode.Scalar(generator.isOne(in: 2) ? value & 0x7F : value)
                else { continue }
                bytes += Array(String(scalar).utf8)
            }
            if generator.isOne(in: 2), !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            let expected = isValidByTheLibrary(bytes)
            #expect(isValid(bytes) == expected, "\(bytes)")
            let size = Int.random(in: 1...12, using: &generator)
            #expect(isValid(bytes, pieces: size) == expected, "\(bytes)")
        }
    }

    @Test func firstInvalidByteIsRejected() {
        for (first, second) in [(0xF4, 0x90), (0xED, 0xA0), (0xE0, 0x9F), (0xF0, 0x8F)] {
            var validator = UTF8Validator()
            let begins = validator.take([UInt8(first)].span)
            #expect(begins && !validator.isComplete)
            let isAccepted = validator.take([UInt8(second)].span)
            #expect(!isAccepted)
        }
    }
}
