import Foundation
import Testing

@testable import CurlURLSession

struct PlainValueTests {
    @Test func valuesAreRecognisedByType() {
        #expect(PlainValue("a") == .text("a"))
        #expect(PlainValue(Substring("ab").dropFirst()) == .text("b"))
        #expect(PlainValue(NSString(string: "a")) == .text("a"))
        #expect(PlainValue(NSMutableString(string: "a")) == .text("a"))
        #expect(PlainValue(1) == .integer(1))
        #expect(PlainValue(UInt16(8080)) == .integer(8080))
        #expect(PlainValue(NSNumber(value: 8080)) == .integer(8080))
        #expect(PlainValue(true) == .flag(true))
        #expect(PlainValue(1.5) == .real(1.5))
        #expect(PlainValue(Float(1.5)) == .real(1.5))
        #expect(PlainValue(NSNumber(value: 1.5)) == .real(1.5))
        #expect(PlainValue(["a", 1] as [Any]) == .list([.text("a"), .integer(1)]))
        #expect(PlainValue(["a", "b"]) == .list([.text("a"), .text("b")]))
        let array = NSArray(array: [NSString(string: "a"), NSNumber(value: 2)])
        #expect(PlainValue(array) == .list([.text("a"), .integer(2)]))
    }

    @Test func otherValuesAreKeptAsDescriptions() throws {
        let url = try #require(URL(string: "http://h/"))
        #expect(PlainValue(url) == .other("http://h/"))
        #expect(PlainValue(UInt.max) == .other("\(UInt.max)"))
    }

    @Test func trueNSNumberIsATrueBoolean() {
        // Not every platform's `NSNumber` distinguishes Boolean values from integers.
        #expect([.flag(true), .integer(1)].contains(PlainValue(NSNumber(value: true))))
    }

    @Test func dictionaryKeysAreStrings() {
        let table = PlainValue.table(["a": 1, NSString(string: "b"): 2, 3: "c"])
        #expect(table == ["a": .integer(1), "b": .integer(2), "3": .text("c")])
        let back = PlainValue.dictionary(table)
        #expect(back["a"] as? Int == 1)
        #expect(back["b"] as? Int == 2)
        #expect(back["3"] as? String == "c")
    }

    @Test(arguments: [
        (PlainValue.text("a b"), "a b"), (.integer(-1), "-1"), (.real(0.5), "0.5"),
        (.flag(true), "true"), (.list([.text("a"), .integer(1)]), "a, 1"), (.other("x"), "x"),
    ])
    func aFieldHasItsText(value: PlainValue, expected: String) {
        #expect(value.fieldValue == expected)
    }
}
