internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct JSONRequestSerializerTests {
    private let serializer = JSONRequestSerializer()

    private func post(_ parameters: Any?) throws -> URLRequest {
        try serializer.request(withMethod: .post, urlString: "http://h/", parameters: parameters)
    }

    private func text(_ request: URLRequest) -> String? {
        request.httpBody.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("J-01: Parameters of methods such as GET are encoded as a query")
    func someMethodsHaveAQuery() throws {
        let request = try serializer.request(
            withMethod: .get,
            urlString: "http://h/",
            parameters: ["k": ["v"]]
        )
        #expect(request.url?.query == "k%5B%5D=v" && request.httpBody == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test("J-01: Without parameters a request has default headers, and no body and no media type")
    func withoutParametersThereIsNoBody() throws {
        let request = try post(nil)
        #expect(request.httpBody == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
        #expect(request.value(forHTTPHeaderField: "User-Agent") != nil)
    }

    @Test("J-02: The media type has no charset, and doesn't replace an existing one")
    func theTypeHasNoCharset() throws {
        #expect(
            try post(["k": 1]).value(forHTTPHeaderField: "Content-Type") == "application/json"
        )
        serializer.setValue("application/vnd.api+json", forHTTPHeaderField: "content-type")
        #expect(
            try post(["k": 1]).value(forHTTPHeaderField: "Content-Type")
                == "application/vnd.api+json"
        )
    }

    @Test("J-01, J-05: JSON is written with the writing options")
    func jsonIsWrittenWithTheOptions() throws {
        #expect(serializer.writingOptions == [])
        serializer.writingOptions = [.sortedKeys]
        let parameters: [String: Any] = ["b": [1, true, NSNull(), "x/y"], "a": 1.5]
        #expect(text(try post(parameters)) == #"{"a":1.5,"b":[1,true,null,"x\/y"]}"#)
        serializer.writingOptions = [.sortedKeys, .withoutEscapingSlashes]
        #expect(text(try post(["x/y"])) == #"["x/y"]"#)
    }

    @Test("J-03, C-16: Parameters that JSON can't represent are an error with a reason")
    func whatJSONDoesNotHaveIsAnError() {
        let invalid: [Any] = [
            "text", 1, ["k": Double.nan], ["k": Double.infinity], ["k": Set([1])], ["k": Date()],
            [1: "v"], ["k": Data()],
        ]
        for parameters in invalid {
            let error = #expect(throws: NSError.self) { try post(parameters) }
            #expect(error?.domain == "com.alamofire.error.serialization.request")
            #expect(error?.code == -1016)
            #expect(
                error?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
                    == "The `parameters` argument is not valid JSON."
            )
        }
    }

    @Test("J-04: Any string can be encoded")
    func allTextCanBeEncoded() throws {
        let texts = ["\u{0}\u{1f}\"\\", "👨‍👩‍👧\u{10ffff}", "\u{2028}\u{fffd}"]
        let body = try #require(try post(texts).httpBody)
        #expect(try JSONSerialization.jsonObject(with: body) as? [String] == texts)
    }

    private struct User: Encodable {
        var name: String
        var born: Date
    }

    @Test("A-10, J-02: Encodable parameters are a JSON body, or a query")
    func encodableParametersAreABody() throws {
        let user = User(name: "x", born: Date(timeIntervalSinceReferenceDate: 0))
        serializer.writingOptions = .sortedKeys
        var request = try serializer.request(
            withMethod: .put,
            urlString: "http://h/",
            encoding: user
        )
        #expect(text(request) == #"{"born":0,"name":"x"}"#)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        serializer.makeEncoder = {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = .sortedKeys
            return encoder
        }
        request = try serializer.request(withMethod: .put, urlString: "http://h/", encoding: user)
        #expect(text(request) == #"{"born":"2001-01-01T00:00:00Z","name":"x"}"#)
        request = try serializer.request(withMethod: .get, urlString: "http://h/", encoding: user)
        #expect(request.url?.query == "born=0&name=x")
    }
}
