import Foundation
internal import HTTPSemantics
import Testing

@testable import CurlURLSession

struct DataURLTests {
    private func read(_ text: String) throws -> DataURL? {
        DataURL(try #require(URL(string: text)))
    }

    @Test(arguments: [
        ("data:,123", "text/plain", "us-ascii", "123"),
        ("data:,", "text/plain", "us-ascii", ""),
        ("DATA:,A%20brief%20note", "text/plain", "us-ascii", "A brief note"),
        ("data:text/plain,a", "text/plain", nil, "a"),
        ("data:text/html;charset=UTF-8,%3Cp%3E", "text/html", "utf-8", "<p>"),
        ("data:Text/HTML,a", "text/html", nil, "a"),
        ("data:;charset=utf-8,a", "text/plain", "utf-8", "a"),
        ("data:;charset=utf-8;charset=utf-16;image/png,a", "text/plain", "utf-8", "a"),
        ("data:a/b;key=value;charset=macroman,blah", "a/b", "macroman", "blah"),
        ("data:application/json;charset=iso-8859-1,,1", "application/json", "iso-8859-1", ",1"),
        ("data:image/svg+xml;utf8,x", "image/svg+xml", nil, "x"),
        ("data:application_json,a", "text/plain", nil, "a"),
        ("data:a/b/c;charset=utf-8,a", "text/plain", "utf-8", "a"),
        ("data:/,a", "text/plain", nil, "a"),
        ("data:base64,a", "text/plain", nil, "a"),
        ("data:text/plain;base64=1,a", "text/plain", nil, "a"),
        ("data:,a?b=c&d", "text/plain", "us-ascii", "a?b=c&d"),
        ("data:,a#b", "text/plain", "us-ascii", "a"),
        ("data://blah,a", "text/plain", nil, "a"),
    ])
    func typeCharsetAndTextAreParsed(
        text: String,
        type: String,
        charset: String?,
        content: String
    ) throws {
        let url = try #require(try read(text))
        #expect(url.mimeType == type)
        #expect(url.textEncodingName == charset)
        #expect(String(decoding: url.content, as: UTF8.self) == content)
    }

    @Test(arguments: [
        "data:;base64,aGVsbG8=", "data:text/plain;base64,aGVsbG8=", "data:;BASE64,aGVsbG8=",
        "data:;base64,aGVsbG8", "data:;base64,aGVs%0AbG8%3D", "data:;base64,aGVs%20bG8=",
        "data:a/b;charset=utf-8;base64,aGVsbG8=", "data:;base64,aGVsbG8=#fragment",
    ])
    func base64IsDecoded(text: String) throws {
        #expect(try read(text)?.content == Data("hello".utf8))
    }

    @Test func everyByteCanBeEscaped() throws {
        let bytes = Data(0...255)
        let percent = bytes.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(try read("data:a/b," + percent)?.content == bytes)
        #expect(try read("data:a/b;base64," + bytes.base64EncodedString())?.content == bytes)
    }

    @Test(arguments: [
        "data:", "data:text/plain", "data://blah", "data:%2c123", "http://example.com/,a",
        "data:;base64,a", "data:;base64,abcde", "data:;base64,ab=c", "data:;base64,a===",
        "data:;base64,=", "data:;base64,aGVsbG8=%00", "data:;base64,a-_b", "data:#,a",
        // Percent escapes before the comma.
        "data:a/b;charset=%22utf-8%22,a", "data:;%62ase64,aGVsbG8=", "data:%61/b,a",
        "data:a/b%3bcharset=utf-8;key=value,,a",
    ])
    func invalidDataURLIsNil(text: String) throws {
        #expect(try read(text) == nil)
    }

    @Test func brokenPercentEscapesAreNil() {
        for text in ["%", "a%4", "%zz", "%4g", "%%41"] {
            #expect(PercentCoding.decode(text.utf8) == nil, "\(text)")
        }
        #expect(PercentCoding.decode("%41%6a+%C3".utf8) == [0x41, 0x6a, 0x2b, 0xc3])
    }
}
