import CurlTransport
import HTTPTypes
import Testing

struct HTTPFieldValidatingTests {
    @Test(arguments: [
        ("X-A", "plain"), ("x!#$%&'*+-.^_`|~9", "a\tb"), ("Empty", ""), ("Utf8", "grün"),
    ])
    func validFieldIsUnchanged(name: String, value: String) throws {
        let field = try HTTPField(validating: name, value: value)
        #expect(field.name.rawName == name)
        #expect(field.value == value)
    }

    @Test(arguments: [
        ("", 0), ("a b", 1), ("a:", 1), (":path", 0), ("é", 0), ("a\r\n", 1), ("a\0", 1), ("(", 0),
    ])
    func invalidNameIsAnError(name: String, offset: Int) {
        let error = #expect(throws: TransportError.self) {
            try HTTPField(validating: name, value: "x")
        }
        #expect(error?.code == .invalidRequest)
        #expect(name.isEmpty || error?.message.contains("at byte \(offset)") == true)
        #expect(error?.message.utf8.allSatisfy { $0 >= 0x20 } == true)
    }

    @Test(arguments: [
        ("a\r\nX: y", 1), ("\n", 0), ("secret\0", 6), ("\u{7f}", 0), ("ü\r", 2), ("\u{1}", 0),
    ])
    func invalidValueIsAnErrorWithoutTheValue(value: String, offset: Int) {
        let error = #expect(throws: TransportError.self) {
            try HTTPField(validating: "X-Key", value: value)
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("X-Key") == true)
        #expect(error?.message.contains("at byte \(offset)") == true)
        #expect(error?.message.contains("secret") == false)
    }
}
