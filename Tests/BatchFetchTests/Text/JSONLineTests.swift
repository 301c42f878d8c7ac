import FoundationEssentials
import Testing

@testable import BatchFetch

@Suite struct JSONLineTests {
    private func decoded(_ text: String) throws -> String {
        var line = JSONLine()
        line.beginObject()
        line.field("text", text)
        line.endObject()
        #expect(!line.bytes.contains { $0 < 0x20 })
        return try JSONDecoder().decode([String: String].self, from: Data(line.bytes))["text"] ?? ""
    }

    @Test func everyCharacterIsEscapedAndReadBack() throws {
        let controls = String(
            String.UnicodeScalarView((0...0x9F).compactMap { Unicode.Scalar($0) })
        )
        for text in [
            controls, "", "\"\\/", "äß漢😀\u{2028}\u{FFFD}", "</script>\r\n",
            String(decoding: [0x61, 0xFF, 0xC3] as [UInt8], as: UTF8.self),
        ] {
            #expect(try decoded(text) == text)
        }
    }

    @Test func lineIsOneObject() {
        var line = JSONLine(appendingTo: Array("before\n".utf8))
        line.beginObject()
        line.field("a", "x")
        line.field("b", String?.none)
        line.field("c", true)
        line.field("d", Int64(-5))
        line.field("e", Int64?.none)
        line.key("t")
        line.beginObject()
        line.field("x", seconds: .milliseconds(1_234))
        line.field("y", seconds: nil)
        line.field("z", seconds: .zero)
        line.endObject()
        line.field("last", false)
        line.endObject()
        line.endLine()
        let expected = """
            before
            {"a":"x","b":null,"c":true,"d":-5,"e":null,\
            "t":{"x":1.234000,"y":null,"z":0.000000},"last":false}

            """
        #expect(String(decoding: line.bytes, as: UTF8.self) == expected)
    }

    @Test(arguments: [0, 9, 10, 99, 100, -1, -10, 1_000_000, .max, .min] as [Int64])
    func numbersAreWrittenInFull(number: Int64) {
        var bytes: [UInt8] = []
        bytes.appendDecimal(number)
        #expect(String(decoding: bytes, as: UTF8.self) == String(number))
    }

    @Test(arguments: [(0, "000"), (7, "007"), (123, "123"), (1234, "1234")])
    func numbersArePaddedWithZeros(number: Int64, text: String) {
        var bytes: [UInt8] = []
        bytes.appendDecimal(number, width: 3)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
