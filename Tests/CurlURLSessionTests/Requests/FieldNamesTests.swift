import HTTPTypes
import Testing

@testable import CurlURLSession

struct FieldNamesTests {
    private let names = FieldNames()

    private func name(_ text: String, at index: Int = 0) -> HTTPField.Name? {
        names.name(text, at: index, among: names.known)
    }

    @Test func fieldNameIsStoredOnce() throws {
        for _ in 0..<2 {
            for (index, text) in ["Accept", "X-Id", "accept", "X-ID"].enumerated() {
                for place in [index, index + 1, 100] {
                    let found = try #require(name(text, at: place))
                    #expect(found.rawName == text)
                    #expect(found.canonicalName == text.lowercased())
                }
            }
        }
        #expect(names.known.map(\.rawName) == ["Accept", "X-Id", "accept", "X-ID"])
    }

    /// The Kelvin sign (U+212A) equals the letter K when strings are compared.
    @Test func invalidNameStaysInvalid() {
        #expect(name("K")?.rawName == "K")
        #expect("\u{212A}" == "K")
        #expect(name("\u{212A}") == nil)
        #expect(name("") == nil)
        #expect(name("a b") == nil)
        #expect(names.known.count == 1)
    }

    @Test func storedFieldNamesAreLimited() {
        for number in 0..<FieldNames.limit * 2 {
            #expect(name("X-\(number)")?.rawName == "X-\(number)")
        }
        #expect(names.known.count == FieldNames.limit)
    }
}
