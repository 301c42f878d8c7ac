import Foundation
internal import HTTPSemantics
import Testing

@testable import CurlURLSession

struct HTTPURLResponseTests {
    private func response(
        _ fields: [String: String]?,
        status: Int = 200
    ) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://example.com/a"))
        return try #require(
            HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: "HTTP/1.1",
                headerFields: fields
            )
        )
    }

    @Test(arguments: [
        ("text/html", "text/html", nil), ("TEXT/HTML; charset=UTF-8", "text/html", "utf-8"),
        ("text/html;charset=\"utf-8\"", "text/html", "utf-8"),
        ("text/html; Charset = x", "text/html", "x"),
        (" text/html ; a=\"b;charset=no\" ; charset=l1", "text/html", "l1"),
        ("text/html;", "text/html", nil), ("text/html; charset=", "text/html", nil),
        ("text/html; charset=a; charset=b", "text/html", "a"),
        ("text/html; charset=\"a\\\"b", "text/html", "a\"b"), ("foo", "foo", nil),
        ("text/html, text/plain; charset=x", "text/plain", "x"), ("text/html, ,", "text/html", nil),
        ("", nil, nil), (";charset=x", nil, nil), (" , ", nil, nil),
    ])
    func typeAndCharsetComeFromContentType(value: String, type: String?, charset: String?) throws {
        let response = try response(["content-TYPE": value])
        #expect(response.mimeType == type)
        #expect(response.textEncodingName == charset)
    }

    @Test(arguments: [
        ("0", 0), ("5", 5), (" 5 ", 5), ("5, 5", 5), ("5,6", -1), ("-5", -1), ("+5", -1),
        ("0x5", -1),
        ("x", -1), ("", -1), ("5 5", -1), ("9223372036854775807", Int64.max),
        ("9223372036854775808", -1), ("99999999999999999999", -1), ("٥", -1),
    ])
    func lengthIsANumberOrUnknown(value: String, length: Int64) throws {
        #expect(try response(["Content-LENGTH": value]).expectedContentLength == length)
    }

    @Test(arguments: [
        (["Content-Encoding": "gzip"], -1), (["Content-Encoding": "identity"], 5),
        (["content-encoding": "Identity, br"], -1), (["Transfer-Encoding": "chunked"], -1),
        (["Transfer-Encoding": "identity"], 5), (["Content-Encoding": ""], 5), ([:], 5),
    ])
    func lengthOfEncodedBodyIsUnknown(fields: [String: String], length: Int) throws {
        let fields = fields.merging(["Content-Length": "5"]) { first, _ in first }
        #expect(try response(fields).expectedContentLength == Int64(length))
    }

    @Test func responseWithoutFieldsHasNoDetails() throws {
        for response in [try response(nil), try response([:])] {
            #expect(response.allHeaderFields.isEmpty)
            #expect(response.mimeType == nil)
            #expect(response.textEncodingName == nil)
            #expect(response.expectedContentLength == -1)
            #expect(response.suggestedFilename == "a")
            #expect(response.statusCode == 200)
        }
    }

    @Test func namesAreSpelledAsFoundationDoes() throws {
        let response = try response([
            "content-type": "a", "x-foo-BAR": "1", "etag": "e", "www-authenticate": "b",
            "SET-COOKIE": "c", "": "z", "te": "x", "X-UPPER": "2", "content-md5": "m",
        ])
        let fields = response.allHeaderFields as? [String: String]
        #expect(
            fields == [
                "Content-Type": "a", "x-foo-BAR": "1", "Etag": "e", "WWW-Authenticate": "b",
                "Set-Cookie": "c", "Te": "x", "X-UPPER": "2", "Content-Md5": "m",
            ]
        )
        #expect(response.allHeaderFields["Content-Type"] as? String == "a")
        for name in ["etag", "ETag", "ETAG"] {
            #expect(response.value(forHTTPHeaderField: name) == "e")
        }
        #expect(response.value(forHTTPHeaderField: "X-Foo") == nil)
    }

    @Test func repeatedFieldsBecomeOne() throws {
        let url = try #require(URL(string: "http://example.com/"))
        let lines = [
            ("x-a", "1"), ("set-cookie", "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT"),
            ("X-A", "2"),
            ("Set-Cookie", "b=2"), ("cache-control", "no-store"), ("X-a", ""),
        ]
        let fields = ResponseHeaderFields(lines.map { HeaderLine(name: $0.0, value: $0.1) })
        let response = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: "HTTP/2",
            fields: fields
        )
        #expect(
            response.allHeaderFields as? [String: String] == [
                "x-a": "1, 2, ",
                "Set-Cookie": "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2",
                "Cache-Control": "no-store",
            ]
        )
        #expect(response.value(forHTTPHeaderField: "X-A") == "1, 2, ")
        #expect(
            response.fields.values("Set-Cookie")
                == ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"]
        )
    }

    @Test(arguments: [
        (100, "Continue"), (103, "Early Hints"), (199, "Informational"), (200, "OK"),
        (226, "IM Used"), (299, "Success"), (306, "Redirection"), (308, "Permanent Redirect"),
        (404, "Not Found"), (413, "Payload Too Large"), (418, "Client Error"), (425, "Too Early"),
        (451, "Unavailable For Legal Reasons"), (500, "Internal Server Error"),
        (511, "Network Authentication Required"), (599, "Server Error"), (0, "Server Error"),
        (-1, "Server Error"), (99, "Server Error"), (600, "Server Error"), (.max, "Server Error"),
    ])
    func everyStatusHasAName(status: Int, name: String) {
        #expect(HTTPURLResponse.localizedString(forStatusCode: status) == name)
    }

    @Test func registeredStatusesHaveDistinctNames() {
        let names = (100...599).map { HTTPURLResponse.localizedString(forStatusCode: $0) }
        let classes = ["Informational", "Success", "Redirection", "Client Error", "Server Error"]
        let own = names.filter { !classes.contains($0) }
        #expect(own.count == 61)
        #expect(Set(own).count == own.count)
    }

    @Test(arguments: [Int.min, -1, 0, 99_999, .max])
    func anyStatusIsKept(status: Int) throws {
        #expect(try response(nil, status: status).statusCode == status)
    }

    @Test func responsesAreEqualWithEqualStatusAndFields() throws {
        #expect(try response(["a": "b"]) == response(["A": "b"]))
        #expect(try response(["a": "b"]).hash == response(["A": "b"]).hash)
        #expect(try response(["a": "b"]) != response(["a": "c"]))
        #expect(try response(nil) != response(nil, status: 404))
        let plain = URLResponse(
            url: try #require(URL(string: "http://example.com/a")),
            mimeType: nil,
            expectedContentLength: -1,
            textEncodingName: nil
        )
        #expect(try !plain.isEqual(response(nil)))
        #expect(try !response(nil).isEqual(plain))
    }

    @Test func archivedResponseIsDecodedUnchanged() throws {
        let url = try #require(URL(string: "http://example.com/a"))
        let fields = ["set-cookie", "Set-Cookie", "x-é"].map { HeaderLine(name: $0, value: "1 ü") }
        let original = HTTPURLResponse(
            url: url,
            statusCode: 404,
            httpVersion: "HTTP/2",
            fields: ResponseHeaderFields(fields)
        )
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: original,
            requiringSecureCoding: true
        )
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HTTPURLResponse.self, from: archive)
        )
        #expect(read == original)
        #expect(read.url == url)
        #expect(read.statusCode == 404)
        #expect(read.httpVersion == "HTTP/2")
        #expect(read.fields == original.fields)
    }

    @Test func copyIsTheSameObject() throws {
        let response = try response(nil)
        #expect(response.copy() as? HTTPURLResponse === response)
    }

    @Test func descriptionHasURLStatusAndFields() throws {
        let text = try response(["b": "2", "a": "1"], status: 404).description
        #expect(text.contains("URL: http://example.com/a"))
        #expect(text.contains("status: 404"))
        #expect(text.contains("    A: 1\n    B: 2\n"))
    }
}
