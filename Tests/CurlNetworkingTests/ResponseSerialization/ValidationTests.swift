internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct ValidationTests {
    @Test(
        "A-19: Acceptable media types may be patterns",
        arguments: [
            ("image/*", "image/png", true), ("image/*", "text/png", false),
            ("*/*", "anything/at-all", true), ("application/json", "application/json", true),
            ("application/json", "application/problem+json", true),
            ("application/json", "application/problem+xml", false),
            ("application/json", "text/problem+json", false),
            ("application/json", "application/+json", false),
            ("application/*+json", "application/vnd.api+json", true),
            ("application/*+json", "application/json", false),
            ("Application/JSON;q=0.5", "application/json", true), ("nonsense", "nonsense", false),
            ("*/json", "application/json", true),
        ]
    )
    func typesMayBePatterns(pattern: String, type: String, isAccepted: Bool) {
        let acceptance = ResponseAcceptance(
            contentTypes: [pattern],
            contentTypeMatching: .patterns
        )
        #expect(acceptance.accepts(contentType: type) == isAccepted)
    }

    @Test("A-19: JSON types with a suffix are accepted if patterns are enabled")
    func jsonWithASuffixIsRead() throws {
        let serializer = JSONResponseSerializer()
        let response = try Responses.http(type: "application/problem+json")
        #expect(Serialized(serializer, response, "[1]").object == nil)
        serializer.contentTypeMatching = .patterns
        #expect(Serialized(serializer, response, "[1]").object as? [Int] == [1])
        #expect(Serialized(serializer, response, "[1]").error == nil)
    }

    @Test("A-19: A request's Accept header can determine the acceptable types")
    func acceptHeaderDeterminesAcceptableTypes() throws {
        var request = URLRequest(url: try #require(URL(string: Responses.url)))
        #expect(ResponseAcceptance(for: request).contentTypes == nil)
        request.setValue(
            "text/*;q=0.5, application/json , image/png; q=0, text/html;q=0.0",
            forHTTPHeaderField: "Accept"
        )
        let acceptance = ResponseAcceptance(for: request)
        #expect(acceptance.accepts(contentType: "text/plain"))
        #expect(acceptance.accepts(contentType: "application/hal+json"))
        #expect(!acceptance.accepts(contentType: "image/png"))
        #expect(acceptance.accepts(statusCode: 204))
        #expect(!acceptance.accepts(statusCode: 302))
        #expect(!acceptance.accepts(contentType: nil))
        request.setValue("*/*", forHTTPHeaderField: "Accept")
        #expect(ResponseAcceptance(for: request).accepts(contentType: nil))
    }

    @Test("A-19: An empty body needs no acceptable type")
    func anEmptyBodyNeedsNoType() throws {
        let serializer = HTTPResponseSerializer()
        serializer.acceptance = ResponseAcceptance(
            contentTypes: ["image/*"],
            contentTypeMatching: .patterns
        )
        #expect(Serialized(serializer, try Responses.http(type: "text/html"), "").error == nil)
        #expect(Serialized(serializer, try Responses.http(type: "text/html"), "a").error != nil)
    }

    @Test("A-19: Custom validation runs last, and its error is the response's error")
    func customValidationRunsLast() throws {
        struct Refusal: Error {}
        let serializer = JSONResponseSerializer()
        serializer.validation = { response, data in
            if data == Data("{\"error\":1}".utf8), response.statusCode == 200 { throw Refusal() }
        }
        #expect(Serialized(serializer, try Responses.http(), "{}").error == nil)
        let refused = Serialized(serializer, try Responses.http(), "{\"error\":1}")
        #expect(refused.error is Refusal)
        // The body is parsed, since only an unacceptable media type prevents that.
        #expect((refused.object as? [String: Any])?["error"] as? Int == 1)
        // An invalid response isn't validated again.
        let failed = Serialized(serializer, try Responses.http(500), "{\"error\":1}")
        #expect(failed.nsError?.code == -1011)
    }
}
