import Testing

@testable import BatchFetch

/// XML answers of object storage.
@Suite struct S3ElementTests {
    private func parse(_ text: String) -> S3Element? { S3Element(Array(text.utf8)) }

    @Test("Elements, references and CDATA are read, attributes and comments ignored")
    func documentIsRead() throws {
        let root = try #require(
            parse(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <!-- comment --><a:Result xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
                  <Key>a &amp; b&#x21;&#33;<![CDATA[<c>]]></Key><Empty/><Empty kind="x" />
                  <Upload><Key>one</Key></Upload><Upload><Key>two</Key></Upload>
                </a:Result>
                """
            )
        )
        #expect(root.name == "Result")
        #expect(root["Key"] == "a & b!!<c>")
        #expect(root["Empty"] == "")
        #expect(root["None"] == nil)
        #expect(
            root.children.filter { $0.name == "Upload" }.map { $0["Key"] } == ["one", "two"]
        )
    }

    @Test(
        "What is malformed or isn't sent by S3 is refused",
        arguments: [
            "", "text", "<a>", "<a></b>", "</a>", "<a><b></a>", "<a>&unknown;</a>",
            "<a>&#xD800;</a>",
            "<a>&amp</a>", "<!DOCTYPE a><a/>", "<>", "<a", "<!-- a",
            String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17),
        ]
    )
    func malformedDocumentIsRefused(text: String) {
        #expect(parse(text) == nil)
    }

    @Test("Text that isn't UTF-8 is refused")
    func otherEncodingIsRefused() {
        #expect(S3Element([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E]) == nil)
    }

    @Test("Escaped text is read as it was")
    func escapedTextIsReadBack() {
        let text = "\"a<b>&c\""
        #expect(parse("<a>\(S3Element.escaped(text))</a>")?.text == text)
    }
}
