import HTTPSemantics
import TestSupport
import Testing

@testable import BatchFetch

/// Texts of bytes and numbers: hexadecimal and decimal digits.
@Suite struct ByteTextTests {
    private static let all = Array(UInt8.min...UInt8.max)

    @Test("Every byte has two lower-case digits, and is read back in both cases")
    func everyByteHasTwoDigits() {
        let text = Hexadecimal.text(Self.all)
        #expect(text.utf8.count == 512)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(text == text.lowercased())
        #expect(Hexadecimal.bytes(of: text) == Self.all)
        #expect(Hexadecimal.bytes(of: text.uppercased()) == Self.all)
        #expect(Hexadecimal.text([]) == "" && Hexadecimal.bytes(of: "") == [])
    }

    @Test("No other character is a hexadecimal digit, in either place")
    func otherCharacterIsNoDigit() {
        let digits = Set("0123456789abcdefABCDEF".utf8)
        for byte in UInt8.min..<0x80 {
            let character = String(UnicodeScalar(byte))
            let isDigit = digits.contains(byte)
            #expect((Hexadecimal.bytes(of: "0" + character) != nil) == isDigit, "\(byte)")
            #expect((Hexadecimal.bytes(of: character + "0") != nil) == isDigit, "\(byte)")
        }
        for text in ["é", "１２", "٣a", "0x12", "12 34", "123"] {
            #expect(Hexadecimal.bytes(of: text) == nil, "\(text)")
        }
    }

    @Test("Numbers around the powers of ten have all their digits")
    func numbersAroundPowersOfTenAreWritten() {
        var power: Int64 = 1
        for _ in 0...18 {
            for number in [power - 1, power, power + 1, -power + 1, -power, -power - 1] {
                var bytes = Array("x".utf8)
                bytes.appendDecimal(number)
                #expect(String(decoding: bytes, as: UTF8.self) == "x\(number)")
            }
            power &*= 10
        }
    }

    @Test(
        "A sign is written before the zeros and isn't counted as a digit",
        arguments: [
            (-5, 3, "-005"), (-1234, 3, "-1234"), (0, 0, "0"), (0, 5, "00000"), (5, -1, "5"),
            (Int64.max, 25, "0000009223372036854775807"),
            (Int64.min, 25, "-0000009223372036854775808"),
        ] as [(Int64, Int, String)]
    )
    func signIsWrittenBeforeTheZeros(number: Int64, width: Int, text: String) {
        var bytes: [UInt8] = []
        bytes.appendDecimal(number, width: width)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test("Random numbers are written one after another without gaps")
    func numbersAreWrittenOneAfterAnother() {
        var generator = SeededGenerator(seed: 11)
        var bytes: [UInt8] = []
        var text = ""
        for _ in 0..<500 {
            let number =
                Int64.random(in: .min ... .max, using: &generator)
                >> Int64.random(
                    in: 0..<64,
                    using: &generator
                )
            bytes.appendDecimal(number)
            bytes.append(UInt8(ascii: ","))
            text += "\(number),"
        }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
