internal import Foundation
internal import Testing

@testable internal import CurlNetworking

/// Header fields, methods and `Retry-After`.
@Suite struct HTTPFieldTests {
    @Test(
        "R-22: Languages come from the environment, six at most",
        arguments: [
            ([:], "en;q=1"), (["LANG": "C.UTF-8"], "en;q=1"), (["LANG": "POSIX"], "en;q=1"),
            (["LANG": "en_US.UTF-8"], "en-US;q=1"),
            (["LANG": "C", "LANGUAGE": "de"], "en;q=1"),
            (["LANG": "de_AT@euro", "LANGUAGE": "fr:de_AT"], "fr;q=1, de-AT;q=0.9"),
            (["LANG": "de", "LC_MESSAGES": "fr", "LC_ALL": "it_IT"], "it-IT;q=1"),
            (["LANG": "de", "LC_MESSAGES": "fr", "LC_ALL": ""], "fr;q=1"),
            (["LANG": "sr_RS@latin"], "sr-Latn-RS;q=1"), (["LANG": "../x"], "en;q=1"),
            (
                ["LANG": "hu", "LANGUAGE": "aa:bb:cc:dd:ee:ff:gg"],
                "aa;q=1, bb;q=0.9, cc;q=0.8, dd;q=0.7, ee;q=0.6, ff;q=0.5"
            ),
        ] as [([String: String], String)]
    )
    func languagesComeFromTheEnvironment(_ environment: [String: String], _ value: String) {
        #expect(AcceptLanguage.fieldValue(of: environment) == value)
    }

    @Test(
        "R-23: The user agent is ASCII and never null",
        arguments: [
            ("tool", "1.2", "6.1.0-13-amd64", "tool/1.2 (Linux 6.1.0-13-amd64)"),
            ("Ünïcødé 測試", "1", "6", "Unicode ce shi/1 (Linux 6)"),
            ("tool", nil, nil, "tool/unknown (Linux)"),
            ("\r\n", "\u{7f}", "6", "unknown/unknown (Linux 6)"),
        ]
    )
    func aProgramsNameIsWrittenInASCII(
        _ name: String,
        _ version: String?,
        _ release: String?,
        _ expected: String
    ) {
        #expect(UserAgent.text(name: name, version: version, release: release) == expected)
    }

    @Test("A-05: Headers keep their order, and each name occurs once, whatever its case")
    func headersKeepTheirOrder() {
        var headers: HTTPHeaders = ["B": "1", "a": "2", "b": "3"]
        #expect(headers.map(\.description) == ["b: 3", "a: 2"])
        headers.add(.accept("text/plain"))
        headers.add(name: "A", value: "4")
        #expect(headers.map(\.name) == ["b", "A", "Accept"])
        #expect(headers["B"] == "3" && headers.value(for: "none") == nil)
        headers.sort()
        #expect(headers.map(\.name) == ["A", "Accept", "b"])
        headers["accept"] = nil
        headers.remove(name: "none")
        #expect(headers.dictionary == ["A": "4", "b": "3"])
        #expect(headers == ["B": "3", "a": "4"])
        #expect(Set([headers, ["B": "3", "a": "4"]]).count == 1)
        #expect(HTTPHeaders(["y": "1", "x": "2"]).map(\.name) == ["x", "y"])
    }

    @Test("A-05: Headers are created from typed fields, added to requests and archived")
    func headersAreMadeOfTypedFields() throws {
        let headers: HTTPHeaders = [
            .authorization(bearerToken: "t"), .contentType("text/x"), .acceptCharset("utf-8"),
            .acceptEncoding("br"), .userAgent("u"), .contentDisposition("inline"),
        ]
        #expect(headers["authorization"] == "Bearer t")
        var request = URLRequest(url: try #require(URL(string: "http://h/")))
        request.headers = headers
        #expect(request.value(forHTTPHeaderField: "Accept-Encoding") == "br")
        #expect(request.headers == headers)
        let decoded = try JSONDecoder()
            .decode(HTTPHeaders.self, from: JSONEncoder().encode(headers))
        #expect(decoded.map(\.description) == headers.map(\.description))
    }

    @Test("A-06: Any string can be a method, and methods are case-sensitive")
    func anyStringIsAMethod() throws {
        #expect(HTTPMethod.query.rawValue == "QUERY" && HTTPMethod("x") != HTTPMethod("X"))
        #expect("REPORT" as HTTPMethod == HTTPMethod(rawValue: "REPORT"))
        let request = try HTTPRequestSerializer()
            .request(withMethod: "Report", urlString: "http://h/")
        #expect(request.httpMethod == "Report" && request.method == "Report")
        let names = [
            HTTPMethod.connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace,
        ]
        .map(\.description)
        let expected = "CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE"
        #expect(names == expected.components(separatedBy: " "))
    }

    @Test(
        "A-12: `Retry-After` is a number of seconds or a date",
        arguments: [
            ("0", 0), ("12", 12), (" 3 ", 3), ("Sun, 06 Nov 1994 08:49:47 GMT", 10),
            ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:49:38 1994", 1),
            ("Sun, 06 Nov 1994 08:49:36 GMT", 0), ("-1", nil), ("soon", nil), ("", nil),
            ("1.5", nil), ("99999999999999999999999", 2_147_483_647),
        ] as [(String, TimeInterval?)]
    )
    func retryAfter(_ text: String, _ seconds: TimeInterval?) throws {
        // Sun, 06 Nov 1994 08:49:37 GMT
        let now = Date(timeIntervalSince1970: 784_111_777)
        let url = try #require(URL(string: "http://h/"))
        let response = try #require(
            HTTPURLResponse(
                url: url,
                statusCode: 503,
                httpVersion: nil,
                headerFields: ["Retry-After": text]
            )
        )
        #expect(response.retryAfter(now: now) == seconds)
    }
}
