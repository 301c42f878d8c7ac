import CurlTransport
import Foundation
import Testing

@testable import CurlURLSession

/// Tests the header fields that sessions add to requests that lack them.
struct AddedFieldsTests {
    @Test(
        "A User-Agent begins with the program's name, in characters that can be sent",
        arguments: [
            ("tool", "tool"), ("My Tool", "My Tool"), ("tö\u{7}ol\r\n", "tol"), ("", "unknown"),
            ("\u{301}", "unknown"), (" ", "unknown"),
        ]
    )
    func agentBeginsWithTheProgramsName(_ name: String, _ shown: String) {
        let agent = AddedFields.agent(ofProgram: name)
        #expect(agent == "\(shown) (unknown version) \(TransferOptions.defaultUserAgent)")
    }

    @Test(
        "The language is that of the locale",
        arguments: [("fi_FI", "fi"), ("pt-BR", "pt"), ("en_001", "en")]
    )
    func languageIsThatOfTheLocale(_ identifier: String, _ language: String) {
        #expect(AddedFields.language(of: Locale(identifier: identifier)) == language)
    }

    @Test("A language is added only to fields without one")
    func languageIsAddedIfThereIsNone() {
        let own = RequestHeaderFields(["accept-LANGUAGE": "de"])
        #expect(AddedFields.language(lackedBy: own) == nil)
        #expect(AddedFields.language(lackedBy: RequestHeaderFields()) == AddedFields.acceptLanguage)
    }
}
