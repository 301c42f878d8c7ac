import Foundation
import Testing

@testable import CurlURLSession

struct URLResponseTests {
    private func response(
        _ url: String = "http://example.com/a",
        type: String? = nil,
        length: Int = -1,
        charset: String? = nil
    ) throws -> URLResponse {
        URLResponse(
            url: try #require(URL(string: url)),
            mimeType: type,
            expectedContentLength: length,
            textEncodingName: charset
        )
    }

    @Test func responseHasItsInitialValues() throws {
        let response = try response(type: "text/html", length: 5, charset: "UTF-8")
        #expect(response.url?.absoluteString == "http://example.com/a")
        #expect(response.mimeType == "text/html")
        #expect(response.expectedContentLength == 5)
        #expect(response.textEncodingName == "UTF-8")
        #expect(response.copy() as? URLResponse === response)
    }

    @Test func responsesAreEqualWithEqualProperties() throws {
        let one = try response(type: "t/x", length: 5, charset: "c")
        #expect(try one == response(type: "t/x", length: 5, charset: "c"))
        #expect(try one.hash == response(type: "t/x", length: 5, charset: "c").hash)
        #expect(try one != response("http://example.com/b", type: "t/x", length: 5, charset: "c"))
        #expect(try one != response(type: "t/y", length: 5, charset: "c"))
        #expect(try one != response(type: "t/x", length: 6, charset: "c"))
        #expect(try one != response(type: "t/x", length: 5))
        #expect(!one.isEqual("http://example.com/a"))
    }

    @Test func archivedResponseIsDecodedUnchanged() throws {
        #expect(URLResponse.supportsSecureCoding)
        for original in [try response(), try response(type: "t/x", length: 5, charset: "c")] {
            let archive = try NSKeyedArchiver.archivedData(
                withRootObject: original,
                requiringSecureCoding: true
            )
            let read = try NSKeyedUnarchiver.unarchivedObject(
                ofClass: URLResponse.self,
                from: archive
            )
            #expect(read == original)
        }
    }

    @Test(arguments: [
        ("http://h/a.txt", nil, "a.txt"), ("http://h/dir/a.txt?b.c#d.e", "text/html", "a.txt"),
        ("http://h/image", "image/JPEG", "image.jpeg"), ("http://h/a/", "text/html", "a.html"),
        ("http://h/a", "application/octet-stream", "a"), ("http://h/a%20b", nil, "a b"),
        ("http://h/a;b=c", nil, "a;b=c"), ("http://h", "text/html", "h"),
        ("http://h:80/", nil, "h"),
        ("http://h/a%2Fb", nil, "a_b"), ("http://h/%2e%2e", nil, "h"), ("http://h/%2E", nil, "h"),
        ("http://h/.profile", nil, "_profile"), ("http://h/a%00b%0Ac%5Cd", nil, "a_b_c_d"),
        ("http://h/%FF", nil, "%FF"), ("data:text/plain,x", "text/plain", "plain,x.txt"),
        ("file:///etc/passwd", nil, "passwd"), ("http://h/%20", nil, "h"),
        ("a/b.ext", nil, "b.ext"), ("a/b.ext?c/d#e/f", nil, "b.ext"),
        ("data:text/plain,a/b.ext", "text/plain", "b.ext"), ("data:,", nil, ","),
        ("x:/", nil, "Unknown"),
    ])
    func fileNameComesFromTheURL(url: String, type: String?, name: String) throws {
        #expect(try response(url, type: type).suggestedFilename == name)
    }
}
