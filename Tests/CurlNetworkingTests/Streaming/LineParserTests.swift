internal import Foundation
internal import HTTPSemantics
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite struct LineParserTests {
    /// The lines of a text that is appended in pieces.
    private func lines(_ pieces: [String], limit: Int = 100) throws -> [String] {
        try lines(of: pieces.map { Array($0.utf8) }, limit: limit)
    }

    private func lines(of pieces: [[UInt8]], limit: Int = 100) throws -> [String] {
        var parser = LineParser(limit: limit)
        var lines: [[UInt8]] = []
        for piece in pieces {
            parser.append(piece)
            while let line = try parser.next() { lines.append(line) }
        }
        if let last = try parser.finish() { lines.append(last) }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("A-24: Lines end with LF, CR or CR LF, and the last line with the text")
    func linesEndInThreeWays() throws {
        #expect(try lines(["a\nb\rc\r\nd"]) == ["a", "b", "c", "d"])
        #expect(try lines(["\n\r\r\n\n\r"]) == ["", "", "", "", ""])
        #expect(try lines(["a\n"]) == ["a"])
        #expect(try lines([]).isEmpty)
    }

    @Test("A-24: A text may be split anywhere")
    func aTextMayBeSplitAnywhere() throws {
        let text = Array("\u{FEFF}eins\r\nzwei\rdrei\n\r\n\r\rvier → fünf\r\n".utf8)
        let expected = ["eins", "zwei", "drei", "", "", "", "vier → fünf"]
        for first in 0...text.count {
            for second in first...text.count {
                let pieces = [text[..<first], text[first..<second], text[second...]]
                #expect(try lines(of: pieces.map { Array($0) }) == expected)
            }
        }
        #expect(try lines(of: text.map { [$0] }) == expected)
    }

    @Test("A-24: A line that ends with CR is returned without waiting for the next byte")
    func carriageReturnEndsALineAtOnce() throws {
        var parser = LineParser(limit: 100)
        parser.append(Array("a\r".utf8))
        #expect(try parser.next() == Array("a".utf8))
        #expect(try parser.next() == nil)
        parser.append(Array("\nb\n".utf8))
        #expect(try parser.next() == Array("b".utf8))
    }

    @Test("A-24: A byte order mark is removed at the start only, and invalid UTF-8 is repaired")
    func byteOrderMarkIsRemoved() throws {
        #expect(try lines(["\u{FEFF}"]).isEmpty)
        #expect(try lines(["\u{FEFF}\na\n"]) == ["", "a"])
        #expect(try lines(["a\n\u{FEFF}b"]) == ["a", "\u{FEFF}b"])
        #expect(try lines(of: [[0x61, 0xFF, 0x62]]) == ["a\u{FFFD}b"])
    }

    @Test("A-24: A line that is too long is an error, with or without a terminator")
    func aLineThatIsTooLongIsAnError() throws {
        #expect(try lines(["abc\nabc"], limit: 3) == ["abc", "abc"])
        #expect(try lines(["\u{FEFF}abc\n"], limit: 3) == ["abc"])
        for text in [["abcd\n"], ["abcdefg"], ["a", "b", "c", "defg"], ["ok\nabcd\n"]] {
            #expect(throws: LineParser.LineTooLong(limit: 3)) { try lines(text, limit: 3) }
        }
    }

    @Test("A-24: Random texts have the same lines as with a bytewise parser")
    func randomTextsHaveTheirLines() throws {
        var random = SeededGenerator(seed: 24)
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                Array("ab\r\n".utf8)[Int.random(in: 0..<4, using: &random)]
            }
            var pieces: [[UInt8]] = [[]]
            for byte in text {
                if Bool.random(using: &random) { pieces.append([]) }
                pieces[pieces.count - 1].append(byte)
            }
            var expected = [""]
            for (index, byte) in text.enumerated() {
                switch byte {
                case UInt8(ascii: "\r"): expected.append("")
                case UInt8(ascii: "\n"):
                    if index == 0 || text[index - 1] != UInt8(ascii: "\r") { expected.append("") }
                default: expected[expected.count - 1].unicodeScalars.append(Unicode.Scalar(byte))
                }
            }
            if expected.last?.isEmpty ?? false { expected.removeLast() }
            #expect(try lines(of: pieces) == expected)
        }
    }
}
