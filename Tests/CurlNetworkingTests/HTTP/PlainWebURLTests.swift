internal import Foundation
internal import Testing

@testable internal import CurlNetworking

@Suite struct PlainWebURLTests {
    @Test(
        "A plain URL string is the absolute string of its URL",
        arguments: [
            "http://example.com", "https://example.com/", "http://127.0.0.1:8080/1k",
            "https://example.com/a/../b/./c?x=1&y=a,b;c+d*e", "http://h/~user/-_.:8",
        ]
    )
    func plainStringIsAbsoluteString(text: String) {
        #expect(text.isPlainWebURL)
        #expect(URL(string: text)?.absoluteString == text)
    }

    @Test(
        "Other strings aren't plain",
        arguments: [
            "", "http:/example.com", "example.com", "/path", "HTTP://example.com",
            "ftp://example.com", "http://example.com/a b", "http://example.com/%41",
            "http://example.com/ä", "http://[::1]/", "http://user@example.com/",
            "http://example.com/#part", "http://example.com/<a>",
        ]
    )
    func otherStringIsNotPlain(text: String) {
        #expect(!text.isPlainWebURL)
    }
}
