internal import Foundation
internal import Testing

@testable internal import CurlNetworking

@Suite struct RequestHeaderTests {
    private let serializer = HTTPRequestSerializer()

    private func made() throws -> URLRequest {
        try serializer.request(withMethod: .get, urlString: "http://h/")
    }

    @Test("R-17: Default headers don't replace those of the request")
    func defaultHeadersDoNotReplaceOthers() throws {
        serializer.setValue("default", forHTTPHeaderField: "X-One")
        serializer.setValue("default", forHTTPHeaderField: "X-Two")
        var request = URLRequest(url: try #require(URL(string: "http://h/")))
        request.setValue("own", forHTTPHeaderField: "x-ONE")
        let made = try serializer.request(bySerializing: request, withParameters: nil)
        #expect(made.value(forHTTPHeaderField: "X-One") == "own")
        #expect(made.value(forHTTPHeaderField: "X-Two") == "default")
    }

    @Test("R-18, R-19: Names of headers have no case, and nil removes them")
    func namesOfHeadersHaveNoCase() throws {
        serializer.setValue("1", forHTTPHeaderField: "Accept")
        serializer.setValue("2", forHTTPHeaderField: "aCCept")
        #expect(serializer.value(forHTTPHeaderField: "ACCEPT") == "2")
        let names = serializer.httpRequestHeaders.map { $0.name.lowercased() }
        #expect(names.filter { $0 == "accept" }.count == 1)
        #expect(try made().value(forHTTPHeaderField: "Accept") == "2")
        serializer.setValue(nil, forHTTPHeaderField: "accept")
        #expect(serializer.value(forHTTPHeaderField: "Accept") == nil)
    }

    @Test("R-19: Headers are set from many threads at once, and none is lost")
    func headersAreSetFromManyThreads() {
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            serializer.setValue("\(number)", forHTTPHeaderField: "X-\(number)")
            _ = serializer.value(forHTTPHeaderField: "X-0")
        }
        let numbers = (0..<200).map { serializer.value(forHTTPHeaderField: "x-\($0)") }
        #expect(numbers == (0..<200).map { "\($0)" })
    }

    @Test("R-20, R-21: A name and a password are one line of Base64, until they are cleared")
    func aNameAndAPasswordAreBase64() throws {
        serializer.setValue("old", forHTTPHeaderField: "authorization")
        serializer.setAuthorizationHeaderField(username: "üser", password: "p:ss")
        #expect(try made().value(forHTTPHeaderField: "Authorization") == "Basic w7xzZXI6cDpzcw==")
        let long = String(repeating: "x", count: 200)
        serializer.setAuthorizationHeaderField(username: long, password: long)
        let value = try #require(serializer.value(forHTTPHeaderField: "Authorization"))
        #expect(!value.contains { $0.isNewline })
        serializer.clearAuthorizationHeader()
        #expect(try made().value(forHTTPHeaderField: "Authorization") == nil)
    }

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
        "R-23: A program's name and version are written in ASCII, and are never null",
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

    @Test("R-22, R-23, R-24: By default there are two headers, and no other")
    func byDefaultThereAreTwoHeaders() throws {
        #expect(serializer.httpRequestHeaders.map(\.name) == ["Accept-Language", "User-Agent"])
        let fields = try #require(try made().allHTTPHeaderFields)
        #expect(Set(fields.keys) == ["Accept-Language", "User-Agent"])
        let agent = try #require(fields["User-Agent"])
        #expect(agent.wholeMatch(of: /[ -~]+\/[ -~]+ \(Linux [0-9][ -~]*\)/) != nil)
        #expect(!agent.contains("null"))
    }

    @Test("A-05: Headers keep their order, and have each name once, whatever its case")
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

    @Test("A-05: Headers are made of typed fields, put into requests and archived")
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

    @Test("A-06: There are more methods than have a name, and their case counts")
    func thereAreMoreMethodsThanHaveAName() throws {
        #expect(HTTPMethod.query.rawValue == "QUERY" && HTTPMethod("x") != HTTPMethod("X"))
        #expect("REPORT" as HTTPMethod == HTTPMethod(rawValue: "REPORT"))
        let request = try serializer.request(withMethod: "Report", urlString: "http://h/")
        #expect(request.httpMethod == "Report" && request.method == "Report")
        let names = [
            HTTPMethod.connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace,
        ]
        .map(\.description)
        let expected = "CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE"
        #expect(names == expected.components(separatedBy: " "))
    }
}
