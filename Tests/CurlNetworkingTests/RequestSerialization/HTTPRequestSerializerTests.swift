internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct HTTPRequestSerializerTests {
    private let serializer = HTTPRequestSerializer()
    private static let form = "application/x-www-form-urlencoded"

    private func url(
        _ text: String,
        _ parameters: Any?,
        method: HTTPMethod = .get
    ) throws -> String? {
        try serializer.request(withMethod: method, urlString: text, parameters: parameters)
            .url?.absoluteString
    }

    @Test("R-11: Parameters of GET, HEAD and DELETE are in the URL, in upper or lower case")
    func threeMethodsHaveTheirParametersInTheURL() throws {
        #expect(serializer.httpMethodsEncodingParametersInURI == ["GET", "HEAD", "DELETE"])
        for method: HTTPMethod in [.get, .head, .delete, "get", "delete"] {
            let request = try serializer.request(
                withMethod: method,
                urlString: "http://h/",
                parameters: ["k": "v"]
            )
            #expect(request.url?.absoluteString == "http://h/?k=v")
            #expect(request.httpBody == nil)
        }
        serializer.httpMethodsEncodingParametersInURI = ["POST"]
        #expect(try url("http://h/", ["k": "v"], method: .post) == "http://h/?k=v")
        #expect(try url("http://h/", ["k": "v"], method: .delete) == "http://h/")
    }

    @Test(
        "R-12, R-08: A query is appended to an existing query, before the fragment",
        arguments: [
            ("http://h/", "http://h/?k=v"), ("http://h/?", "http://h/?&k=v"),
            ("http://h/?a=b", "http://h/?a=b&k=v"), ("http://h/#f", "http://h/?k=v#f"),
            ("http://h/?a#f?g", "http://h/?a&k=v#f?g"), ("http://h/p#f?", "http://h/p?k=v#f?"),
        ]
    )
    func aQueryGoesBeforeTheFragment(_ text: String, _ expected: String) throws {
        #expect(try url(text, ["k": "v"]) == expected)
        #expect(try url(text, nil) == text)
        #expect(try url(text, [String: String]()) == text)
    }

    @Test("R-12: A request with a query in its URL has no media type and no body")
    func aQueryInTheURLHasNoType() throws {
        let request = try serializer.request(
            withMethod: .get,
            urlString: "http://h/",
            parameters: ["k": "v"]
        )
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
        #expect(request.httpBody == nil)
    }

    @Test("R-13: Other methods have a form body, empty without parameters, without a charset")
    func otherMethodsHaveABody() throws {
        let cases: [(Any?, String)] = [(["k": "v w"], "k=v%20w"), (nil, ""), ([String: Int](), "")]
        for (parameters, body) in cases {
            let request = try serializer.request(
                withMethod: .post,
                urlString: "http://h/?a=b",
                parameters: parameters
            )
            #expect(request.url?.absoluteString == "http://h/?a=b")
            #expect(request.httpBody == Data(body.utf8))
            #expect(request.value(forHTTPHeaderField: "Content-Type") == Self.form)
        }
    }

    @Test("R-13, R-27: An existing media type is kept, and the caller's request isn't modified")
    func existingMediaTypeIsKept() throws {
        var request = URLRequest(url: try #require(URL(string: "http://h/")))
        request.httpMethod = "PUT"
        request.setValue("text/x-mine", forHTTPHeaderField: "content-type")
        let before = request
        let made = try serializer.request(bySerializing: request, withParameters: ["k": 1])
        #expect(made.value(forHTTPHeaderField: "Content-Type") == "text/x-mine")
        #expect(made.httpBody == Data("k=1".utf8))
        #expect(request == before)
    }

    @Test("R-14: Bodies use the string encoding, and escapes use UTF-8")
    func bodiesAreInTheStringEncoding() throws {
        #expect(serializer.stringEncoding == .utf8)
        serializer.stringEncoding = .utf16BigEndian
        let request = try serializer.request(
            withMethod: .post,
            urlString: "http://h/",
            parameters: ["k": "ä"]
        )
        #expect(request.httpBody == "k=%C3%A4".data(using: .utf16BigEndian))
    }

    @Test("R-16, R-15: A block builds queries and bodies until a style is set again")
    func aBlockMakesQueriesAndBodies() throws {
        serializer.setQueryStringSerialization { request, parameters in
            "\(request.httpMethod ?? "")-\((parameters as? [String: Int])?.count ?? -1)"
        }
        #expect(try url("http://h/", ["k": 1]) == "http://h/?GET-1")
        #expect(try url("http://h/", [String: Int]()) == "http://h/?GET-0")
        #expect(try url("http://h/", nil) == "http://h/")
        let post = try serializer.request(
            withMethod: .post,
            urlString: "http://h/",
            parameters: ["k": 1]
        )
        #expect(post.httpBody == Data("POST-1".utf8))
        serializer.setQueryStringSerialization { _, _ in nil }
        #expect(try url("http://h/", ["k": 1]) == "http://h/")
        serializer.setQueryStringSerialization(with: .defaultStyle)
        #expect(try url("http://h/", ["k": 1]) == "http://h/?k=1")
        #expect(HTTPRequestQueryStringSerializationStyle.defaultStyle.rawValue == 0)
    }

    private final class Mine: Error {}

    @Test("R-16: A block's error is thrown unchanged")
    func aBlocksErrorIsTheError() throws {
        let mine = Mine()
        serializer.setQueryStringSerialization { _, _ in throw mine }
        let error = #expect(throws: Mine.self) { try url("http://h/", ["k": 1]) }
        #expect(error === mine)
    }

    @Test("R-25, R-26: Properties are applied only if set, and only to requests created here")
    func propertiesAreAppliedOnlyIfTheyWereSet() throws {
        let plain = URLRequest(url: try #require(URL(string: "http://h/")))
        func made() throws -> URLRequest {
            try serializer.request(withMethod: .get, urlString: "http://h/")
        }
        #expect(try made().timeoutInterval == plain.timeoutInterval)
        #expect(serializer.timeoutInterval == nil && serializer.cachePolicy == nil)
        #expect(serializer.allowsCellularAccess == nil && serializer.networkServiceType == nil)
        serializer.allowsCellularAccess = false
        serializer.cachePolicy = .returnCacheDataElseLoad
        serializer.httpShouldHandleCookies = false
        serializer.httpShouldUsePipelining = false
        serializer.networkServiceType = .background
        serializer.timeoutInterval = 7
        let request = try made()
        #expect(!request.allowsCellularAccess && !request.httpShouldHandleCookies)
        #expect(!request.httpShouldUsePipelining && request.timeoutInterval == 7)
        #expect(request.cachePolicy == .returnCacheDataElseLoad)
        #expect(request.networkServiceType == .background)
        let form = try serializer.multipartFormRequest(withMethod: .post, urlString: "http://h/")
        #expect(form.timeoutInterval == 7)
        let callers = try serializer.request(bySerializing: plain, withParameters: nil)
        #expect(callers.timeoutInterval == 60 && callers.allowsCellularAccess)
        serializer.timeoutInterval = nil
        #expect(try made().timeoutInterval == 60)
    }

    @Test("R-26: A string that isn't a URL is an error", arguments: ["", "http://["])
    func textThatIsNoURLIsAnError(_ text: String) {
        let error = #expect(throws: NSError.self) { try url(text, nil) }
        #expect(error?.domain == URLRequestSerializationErrorDomain)
        #expect(error?.code == URLError.Code.badURL.rawValue)
    }

    @Test("C-16: The error domain is AFNetworking's")
    func theDomainIsAFNetworkings() {
        #expect(URLRequestSerializationErrorDomain == "com.alamofire.error.serialization.request")
    }
}
