import Foundation
internal import HTTPSemantics
import Testing

@testable import CurlURLSession

struct SuggestedFilenameTests {
    private func name(_ disposition: String, type: String? = nil) -> String {
        SuggestedFilename.make(
            disposition: disposition,
            url: URL(string: "http://h/url"),
            mimeType: type
        )
    }

    /// Tests RFC 6266 and RFC 8187.
    @Test(arguments: [
        ("attachment; filename=\"a b.txt\"", "a b.txt"), ("inline; filename=a.txt", "a.txt"),
        ("attachment; FILENAME = a.txt ; x=y", "a.txt"), ("ATTACHMENT;filename=\"a;b,c\"", "a;b,c"),
        ("attachment; filename=\"a\\\"b\\c\"", "a\"bc"),
        ("attachment; filename=a; filename=b", "a"),
        ("attachment; xfilename=b; filename=a", "a"), ("attachment; filename=\"a", "a"),
        ("attachment; filename=\"a\"b; x=y", "a"), ("attachment; filename=\"ü.txt\"", "ü.txt"),
        ("attachment; filename=\"a%20b\"", "a%20b"),
        ("attachment; filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"),
        ("attachment; filename=e.txt; filename*=utf-8'en'%E2%82%AC.txt", "€.txt"),
        ("attachment; FileName*=UTF-8''a.txt; filename=b.txt", "a.txt"),
        ("attachment; filename*=iso-8859-1''%A3.txt", "£.txt"),
        ("attachment; filename*=ISO-8859-1''%e4", "ä"),
        // Invalid extended values are ignored.
        ("attachment; filename*=UTF-8''%ff.txt; filename=b.txt", "b.txt"),
        ("attachment; filename*=UTF-8''%4; filename=b.txt", "b.txt"),
        ("attachment; filename*=UTF-8''%zz; filename=b.txt", "b.txt"),
        ("attachment; filename*=KOI8-R''%C1; filename=b.txt", "b.txt"),
        ("attachment; filename*=a.txt; filename=b.txt", "b.txt"),
        ("attachment; filename*=''a.txt; filename=b.txt", "b.txt"),
        // Fields without a file name.
        ("attachment", "url"), ("attachment; filename", "url"), ("attachment; filename=", "url"),
        ("attachment; filename=\"\"", "url"), ("filename=a.txt", "url"), ("", "url"),
        (";;;", "url"),
    ])
    func contentDispositionNamesAFile(value: String, expected: String) {
        #expect(name(value) == expected)
    }

    @Test(arguments: [
        ("../../etc/passwd", "_._.._etc_passwd"), ("/etc/passwd", "_etc_passwd"), ("..", "url"),
        (".", "url"), ("...", "url"), (".bashrc", "_bashrc"), ("a/b", "a_b"), (" a ", "a"),
        ("~", "~"), ("a\u{7f}b\u{85}c", "a_b_c"), ("invoice\u{202e}fdp.exe", "invoice_fdp.exe"),
        ("a\u{2028}b", "a_b"),
    ])
    func nameNeverLeavesItsFolder(given: String, expected: String) {
        #expect(name("attachment; filename=\"\(given)\"") == expected)
    }

    @Test func extendedNamesAreSanitised() {
        #expect(name("attachment; filename*=UTF-8''..%2f..%2Fx%00%0ay") == "_._.._x__y")
        #expect(name("attachment; filename*=UTF-8''..; filename=b.txt") == "b.txt")
        #expect(name("attachment; filename=\"C:\\\\dir\\\\a.txt\"") == "C:_dir_a.txt")
    }

    @Test func givenNameGetsNoExtension() {
        #expect(name("attachment; filename=a", type: "text/html") == "a")
        #expect(name("attachment", type: "text/html") == "url.html")
    }

    @Test(arguments: ["a", "é", "👩‍👩‍👧", "e\u{301}"])
    func longNameIsCutBeforeItsExtension(letter: String) {
        let long = String(repeating: letter, count: 300)
        let cut = name("attachment; filename=\"\(long).tar\"")
        #expect(cut.utf8.count <= 255)
        #expect(cut.utf8.count > 255 - letter.utf8.count)
        #expect(cut.hasSuffix(letter + ".tar"))
        // A suffix that is too long isn't kept as an extension.
        #expect(name("attachment; filename=\"a.\(long)\"").hasPrefix("a.\(letter)"))
    }

    /// A single character may have more bytes than a file name can have.
    @Test(arguments: ["", ".bashrc"])
    func tooLongCharacterIsCut(suffix: String) {
        let letter = "a" + String(repeating: "\u{301}", count: 300)
        let cut = name("attachment; filename=\"\(letter)\(suffix)\"")
        #expect(cut.utf8.count <= 255)
        #expect(cut.unicodeScalars.first == "a")
        #expect(cut.hasSuffix(suffix))
    }

    /// In quadratic time, this would take hours.
    @Test(.timeLimit(.minutes(10)), arguments: ["a", "\u{301}", "🇩🇪", "👩‍"])
    func hugeNameIsCutQuickly(letter: String) {
        let long = "a" + String(repeating: letter, count: 2_000_000 / letter.utf8.count)
        let cut = name("attachment; filename=\"\(long).tar\"")
        #expect(cut.utf8.count <= 255)
        #expect(cut.hasSuffix(".tar"))
    }

    @Test func nameIsUnknownWithoutAURL() {
        #expect(SuggestedFilename.make(disposition: nil, url: nil, mimeType: "a/b") == "Unknown")
    }

    @Test func allExtensionsAreValid() {
        for (type, suffix) in MediaType.filenameExtension {
            #expect(type == type.lowercased())
            #expect(type.split(separator: "/").count == 2)
            #expect(suffix.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit })
        }
    }
}
