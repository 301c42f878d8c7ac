internal import CurlNetworking
internal import Foundation
internal import Testing

/// What the errors of serializers say: the cause, the server's text, and what was expected.
@Suite struct ResponseErrorTextTests {
    private func reason(_ status: Int, _ body: Data?) throws -> String {
        let response = try Responses.http(status, type: "text/plain")
        let result = Serialized(HTTPResponseSerializer(), response, body)
        return try #require(result.nsError?.localizedFailureReason)
    }

    @Test func statusErrorQuotesTheServersText() throws {
        let quoted = try reason(503, Data("try\r\n\tlater".utf8))
        #expect(quoted.hasPrefix("The server answered 503 ("))
        #expect(quoted.hasSuffix("); the body begins: “try later”"))
        for body in [nil, Data(), Data([0xFF, 0xFE])] {
            #expect(try reason(503, body).hasSuffix(")"))
        }
    }

    @Test(arguments: [(199, false), (200, false), (201, true), (5000, true)])
    func quotedTextIsCutAfter200Characters(count: Int, isCut: Bool) throws {
        for character in ["a", "é", "€", "𝄞"] {
            let text = String(repeating: character, count: count)
            let end = "“" + text.prefix(200) + (isCut ? "…”" : "”")
            #expect(try reason(500, Data(text.utf8)).hasSuffix(end), "\(character)")
        }
    }

    @Test func typeErrorListsAcceptableTypesInOrder() throws {
        let serializer = HTTPResponseSerializer()
        serializer.acceptableContentTypes = ["text/z", "image/b", "image/a"]
        let list = ", but acceptable is image/a, image/b, text/z; the body begins: “x”"
        let html = Serialized(serializer, try Responses.http(type: "text/html"), "x")
        #expect(html.nsError?.localizedFailureReason == "The server sent “text/html”" + list)
        let none = Serialized(serializer, try Responses.http(type: nil), "x")
        #expect(none.nsError?.localizedFailureReason == "The server sent no media type" + list)
    }

    @Test func missingBodyErrorHasTheStatus() throws {
        let serializer = DataResponseSerializer()
        let known = Serialized(serializer, try Responses.http(203), nil as Data?)
        #expect(
            known.nsError?.localizedFailureReason
                == "The server sent a response without a body with the status 203, but one is "
                + "required"
        )
        let unknown = try #require(Serialized(serializer, nil, "").nsError)
        #expect(
            unknown.localizedFailureReason
                == "The server sent a response without a body, but one is required"
        )
        #expect(unknown.userInfo[NSURLErrorFailingURLErrorKey] == nil)
    }

    @Test func textErrorHasLengthCharsetAndBody() throws {
        let response = try Responses.http(type: "text/plain; charset=UTF-8")
        let bytes = Data([0x61, 0xFF, 0xFE])
        let error = try #require(
            Serialized(StringResponseSerializer(), response, bytes).nsError
        )
        #expect(error.localizedDescription == "Request failed: the body isn't text in utf-8")
        #expect(
            error.localizedFailureReason == "The body of 3 bytes can't be decoded as utf-8"
        )
        #expect(NetworkingError(error).responseData == bytes)
        // A chosen encoding is named instead of the response's.
        let latin = try Responses.http(type: "text/plain; charset=iso-8859-1")
        let chosen = StringResponseSerializer(encoding: .utf8)
        let other = try #require(Serialized(chosen, latin, bytes).nsError)
        #expect(!other.localizedDescription.contains("8859"))
    }
}
