internal import Foundation
internal import Testing

@testable internal import CurlNetworking

@Suite struct RequestHeaderTests {
    private let serializer = HTTPRequestSerializer()

    private func made() throws -> URLRequest {
        try serializer.request(withMethod: .get, urlString: "http://h/")
    }

    @Test("R-17: Default headers don't replace headers of the request")
    func defaultHeadersDoNotReplaceOthers() throws {
        serializer.setValue("default", forHTTPHeaderField: "X-One")
        serializer.setValue("default", forHTTPHeaderField: "X-Two")
        var request = URLRequest(url: try #require(URL(string: "http://h/")))
        request.setValue("own", forHTTPHeaderField: "x-ONE")
        let made = try serializer.request(bySerializing: request, withParameters: nil)
        #expect(made.value(forHTTPHeaderField: "X-One") == "own")
        #expect(made.value(forHTTPHeaderField: "X-Two") == "default")
    }

    @Test(
        "A default header whose value has a line break is an error that names the header",
        arguments: ["a\r\nX-Smuggled: 1", "a\nb", "a\rb", "a\u{0}b"]
    )
    func valueWithALineBreakIsAnError(_ value: String) throws {
        let serializers = [
            HTTPRequestSerializer(), JSONRequestSerializer(), PropertyListRequestSerializer(),
        ]
        for serializer in serializers {
            serializer.setValue(value, forHTTPHeaderField: "X-One")
            let error = #expect(throws: NSError.self) {
                try serializer.request(withMethod: .post, urlString: "http://h/")
            }
            #expect(error?.domain == URLRequestSerializationErrorDomain)
            #expect(error?.localizedFailureReason?.contains("X-One") == true)
            #expect(throws: NSError.self) {
                try serializer.request(
                    withMethod: .post,
                    urlString: "http://h/",
                    encoding: ["k": "v"]
                )
            }
            // The request's own field is used instead.
            var request = URLRequest(url: try #require(URL(string: "http://h/")))
            request.setValue("own", forHTTPHeaderField: "X-One")
            let made = try serializer.request(bySerializing: request, withParameters: nil)
            #expect(made.value(forHTTPHeaderField: "X-One") == "own")
        }
    }

    @Test("R-18, R-19: Header names are case-insensitive, and nil removes a header")
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

    @Test("R-19: Concurrent threads set headers without losing any")
    func headersAreSetFromManyThreads() {
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            serializer.setValue("\(number)", forHTTPHeaderField: "X-\(number)")
            _ = serializer.value(forHTTPHeaderField: "X-0")
        }
        let numbers = (0..<200).map { serializer.value(forHTTPHeaderField: "x-\($0)") }
        #expect(numbers == (0..<200).map { "\($0)" })
    }

    @Test("R-20, R-21: User name and password are one line of Base64, until they are cleared")
    func aNameAndAPasswordAreBase64() throws {
        serializer.setValue("old", forHTTPHeaderField: "authorization")
        serializer.setAuthorizationHeaderField(username: "üser", password: "p:ss")
        #expect(try made().value(forHTTPHeaderField: "Authorization") == "Basic w7xzZXI6cDpzcw==")
        let long = String(repeating: "x", count: 200)
        serializer.setAuthorizationHeaderField(username: long, password: long)
        let value = try #require(serializer.value(forHTTPHeaderField: "Authorization"))
        #expect(!value.contains { $0.isNewline })
        serializer.setAuthorizationHeaderField(withUsername: "a", password: "b")
        #expect(try made().value(forHTTPHeaderField: "Authorization") == "Basic YTpi")
        serializer.clearAuthorizationHeader()
        #expect(try made().value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test("R-22, R-23, R-24: By default a request has exactly two headers")
    func byDefaultThereAreTwoHeaders() throws {
        #expect(serializer.httpRequestHeaders.map(\.name) == ["Accept-Language", "User-Agent"])
        let fields = try #require(try made().allHTTPHeaderFields)
        #expect(Set(fields.keys) == ["Accept-Language", "User-Agent"])
        let agent = try #require(fields["User-Agent"])
        #expect(agent.wholeMatch(of: /[ -~]+\/[ -~]+ \(Linux [0-9][ -~]*\)/) != nil)
        #expect(!agent.contains("null"))
    }
}
