import Posix
import Testing

/// Operations on bytes a word at a time equal those on single bytes.
@Suite struct SpanBytesTests {
    private func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 13) }
    }

    @Test(
        "Masking combines each byte with a byte of the key (RFC 6455, 5.3)",
        arguments: [0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 100],
        [0, 1, 5, 8]
    )
    func maskingCombinesEachByte(count: Int, start: Int) {
        let key: UInt32 = 0x37fa_213d
        let original = bytes(start + count)
        var masked = original
        masked.combine(from: start, with: key)
        let expected = original.enumerated().map { place, byte in
            place < start
                ? byte : byte ^ UInt8(truncatingIfNeeded: key >> UInt32((place - start) % 4 * 8))
        }
        #expect(masked == expected)
        masked.combine(from: start, with: key)
        #expect(masked == original)
    }

    /// RFC 6455, 5.7: a masked text "Hello" with the key 37 fa 21 3d.
    @Test("The masked text of RFC 6455 is unmasked")
    func maskedTextOfTheRFCIsUnmasked() {
        var text: [UInt8] = [0x7f, 0x9f, 0x4d, 0x51, 0x58]
        text.combine(from: 0, with: 0x3d21_fa37)
        #expect(String(decoding: text, as: UTF8.self) == "Hello")
    }

    @Test("Masking from the end of the bytes or beyond it changes nothing", arguments: [5, 6, 100])
    func maskingFromTheEndChangesNothing(start: Int) {
        var text = bytes(5)
        text.combine(from: start, with: .max)
        #expect(text == bytes(5))
    }

    @Test("A byte is found at every index")
    func byteIsFound() {
        for count in [0, 1, 7, 8, 33] {
            let plain = [UInt8](repeating: 0x80, count: count)
            var isFound = plain.span.contains(0)
            #expect(!isFound)
            for place in 0..<count {
                var text = plain
                text[place] = 0
                isFound = text.span.contains(0)
                #expect(isFound)
                isFound = text.span.contains(0xFF)
                #expect(!isFound)
            }
        }
    }

    @Test("The first byte that isn't ASCII is found at every index")
    func firstByteBeyondASCIIIsFound() {
        for count in [0, 1, 7, 8, 9, 16, 25] {
            let plain = [UInt8](repeating: 0x7f, count: count)
            for start in 0...count {
                let end = plain.span.endOfASCII(from: start)
                #expect(end == count)
            }
            for place in 0..<count {
                var text = plain
                text[place] = 0x80
                for start in 0...count {
                    let end = text.span.endOfASCII(from: start)
                    #expect(end == (start <= place ? place : count), "\(count) \(start)")
                }
            }
        }
    }

    @Test("The bytes of a span are copied into a new array or appended to one")
    func spanIsCopied() {
        let source = bytes(1000)
        var target: [UInt8] = [1, 2]
        target.append(copying: source.span)
        #expect(target == [1, 2] + source)
        let copy = [UInt8](copying: source.span.extracting(10..<20))
        #expect(copy == Array(source[10..<20]))
        let nothing: [UInt8] = []
        let empty = [UInt8](copying: nothing.span)
        #expect(empty == [])
    }

    @Test(
        "As much of a span is appended as there is room for",
        arguments: [(0, 5, 0), (5, 0, 0), (3, 5, 3), (5, 5, 5), (6, 5, 5), (1000, 1, 1)]
    )
    func outputTakesWhatFits(count: Int, room: Int, appended: Int) {
        let source = bytes(count)
        var taken = -1
        var target: [UInt8] = [7]
        target.append(addingCapacity: room + 1) { output in
            output.append(0)
            taken = output.append(copying: source.span)
        }
        #expect(taken == appended)
        #expect(target == [7, 0] + source.prefix(appended))
    }
}
