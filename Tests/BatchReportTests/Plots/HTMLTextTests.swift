import Foundation
import Testing

@testable import BatchReport

/// HTML whose texts can't become markup.
@Suite struct HTMLTextTests {
    private func html(_ write: (inout HTMLText) -> Void) -> String {
        var page = HTMLText()
        write(&page)
        return page.html
    }

    @Test(
        "Markup is escaped, and control and bidirectional characters are replaced",
        arguments: [
            ("", ""), ("a b", "a b"), ("<>&\"'", "&lt;&gt;&amp;&quot;&#39;"),
            ("&amp;", "&amp;amp;"),
            ("a\tb\nc", "a\tb\nc"), ("\u{0}\u{8}\u{B}\u{1F}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("\u{7F}\u{85}\u{9F}", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("\u{A0}", "\u{A0}"),
            (
                "\u{200E}\u{200F}\u{2028}\u{202E}\u{2066}\u{2069}",
                String(repeating: "\u{FFFD}", count: 6)
            ),
            (
                "\u{200D}\u{2027}\u{202F}\u{2065}\u{206A}",
                "\u{200D}\u{2027}\u{202F}\u{2065}\u{206A}"
            ),
            ("é🎉", "é🎉"), ("\r\n", "\u{FFFD}\n"),
        ]
    )
    func marksAreEscaped(text: String, expected: String) {
        #expect(html { $0.text(text) } == expected)
        #expect(html { $0.element("b", text: text) } == "<b>\(expected)</b>")
        #expect(html { $0.empty("i", ["a": text]) } == "<i a=\"\(expected)\">")
    }

    @Test("Elements are nested, and block elements end their line")
    func elementsAreNested() {
        let page = html { page in
            page.element("p", ["class": "a", "id": "b"]) { paragraph in
                paragraph.element("b", text: "bold")
                paragraph.empty("br")
                paragraph.text("1 < 2")
            }
            page.source("<!-- literal -->")
        }
        #expect(
            page == "<p class=\"a\" id=\"b\"><b>bold</b><br>1 &lt; 2</p>\n<!-- literal -->"
        )
    }

    @Test("The content security policy has the digest of the style sheet")
    func digestIsOfTheSheet() throws {
        let digest = ReportStyle.digest
        #expect(digest.utf8.count == 44 && digest.hasSuffix("="))
        let page = RunReport().html(title: "x")
        #expect(page.contains("style-src &#39;sha256-\(digest)&#39;"))
        // Between the tags is the sheet alone, byte for byte.
        let start = try #require(page.range(of: "<style>"))
        let end = try #require(page.range(of: "</style>"))
        #expect(page[start.upperBound..<end.lowerBound] == "\(ReportStyle.sheet)")
    }
}
