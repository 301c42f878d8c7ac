internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct HTTPResponseSerializerTests {
    private let contentTypeError = "com.alamofire.error.serialization.response -1016"
    private let statusError = "com.alamofire.error.serialization.response -1011"

    @Test("V-01: By default the status codes 200 to 299 and all media types are acceptable")
    func successIsAcceptable() throws {
        let serializer = HTTPResponseSerializer()
        #expect(serializer.acceptableStatusCodes == IndexSet(integersIn: 200...299))
        #expect(serializer.acceptableContentTypes == nil)
        #expect(Serialized(serializer, try Responses.http(200, type: "x/y"), "a").error == nil)
        #expect(Serialized(serializer, try Responses.http(299), "a").error == nil)
        #expect(Serialized(serializer, try Responses.http(300), "a").error != nil)
        #expect(Serialized(serializer, try Responses.http(199), "a").error != nil)
        serializer.acceptableStatusCodes = nil
        #expect(Serialized(serializer, try Responses.http(-1), "a").error == nil)
        serializer.acceptableStatusCodes = [404]
        #expect(Serialized(serializer, try Responses.http(404), "a").error == nil)
        #expect(Serialized(serializer, try Responses.http(-1), "a").error != nil)
    }

    @Test("V-02: A response that isn't HTTP is valid")
    func nonHTTPResponseIsValid() throws {
        let serializer = HTTPResponseSerializer()
        serializer.acceptableContentTypes = ["a/b"]
        #expect(serializer.validateResponse(nil, data: Data([1])).isValid)
        let url = try #require(URL(string: "data:,x"))
        let response = URLResponse(
            url: url,
            mimeType: "x/y",
            expectedContentLength: 1,
            textEncodingName: nil
        )
        #expect(Serialized(serializer, response, "x").error == nil)
    }

    @Test("V-03: A media type must literally be one of the acceptable ones")
    func typesAreComparedExactly() throws {
        let serializer = HTTPResponseSerializer()
        serializer.acceptableContentTypes = ["text/plain", "image/*"]
        #expect(
            Serialized(serializer, try Responses.http(type: "text/plain; charset=x"), "a").error
                == nil
        )
        #expect(Serialized(serializer, try Responses.http(type: "Text/Plain"), "a").error == nil)
        #expect(Serialized(serializer, try Responses.http(type: "image/png"), "a").error != nil)
        #expect(Serialized(serializer, try Responses.http(type: "text/html"), "a").error != nil)
        // A missing media type is unacceptable.
        #expect(Serialized(serializer, try Responses.http(type: nil), "a").error != nil)
    }

    @Test("V-03: An unacceptable type of an empty body is no error, but not valid either")
    func unacceptableTypeOfEmptyBodyIsNoError() throws {
        let serializer = HTTPResponseSerializer()
        serializer.acceptableContentTypes = ["text/plain"]
        let response = try Responses.http(type: "text/html")
        for data in [nil, Data()] {
            let validity = serializer.validateResponse(response, data: data)
            #expect(!validity.isValid)
            #expect(validity.error == nil)
        }
        // With neither a media type nor a body, the response is valid.
        let bare = try Responses.http(type: nil)
        #expect(serializer.validateResponse(bare, data: Data()).isValid)
        #expect(serializer.validateResponse(bare, data: nil).isValid)
        // A previous error is reset.
        var error: (any Error)? = URLError(.unknown)
        _ = serializer.responseObject(for: response, data: Data(), error: &error)
        #expect(error == nil)
    }

    @Test("V-04, C-17, C-19, C-20: An unacceptable media type has AFNetworking's error")
    func unacceptableTypeHasAFNetworkingsError() throws {
        let serializer = HTTPResponseSerializer()
        serializer.acceptableContentTypes = ["text/plain"]
        let response = try Responses.http(type: "text/html")
        let result = Serialized(serializer, response, "<html>\n  <b>Log in</b>")
        #expect(result.chain == [contentTypeError])
        let error = try #require(result.nsError)
        #expect(
            error.localizedDescription == "Request failed: unacceptable content-type: text/html"
        )
        let info = error.userInfo
        #expect(info[NSURLErrorFailingURLErrorKey] as? URL == response.url)
        let shown = info["com.alamofire.serialization.response.error.response"] as? HTTPURLResponse
        #expect(shown === response)
        let body = info["com.alamofire.serialization.response.error.data"] as? Data
        #expect(body == Data("<html>\n  <b>Log in</b>".utf8))
        // The received type, the acceptable types and the first bytes of the body.
        let reason = try #require(error.localizedFailureReason)
        #expect(reason.contains("“text/html”"))
        #expect(reason.contains("text/plain"))
        #expect(reason.contains("<html> <b>Log in</b>"))
        let untyped = Serialized(serializer, try Responses.http(type: nil), "a").nsError
        #expect(
            untyped?.localizedDescription == "Request failed: unacceptable content-type: (null)"
        )
    }

    @Test("V-05: An unacceptable status code has AFNetworking's error")
    func unacceptableStatusHasAFNetworkingsError() throws {
        let response = try Responses.http(404, type: "text/plain")
        let result = Serialized(HTTPResponseSerializer(), response, "gone")
        #expect(result.chain == [statusError])
        let error = try #require(result.nsError)
        #expect(error.localizedDescription.lowercased() == "request failed: not found (404)")
        #expect(
            error.userInfo[NetworkingOperationFailingURLResponseDataErrorKey] as? Data
                == Data("gone".utf8)
        )
        #expect(
            error.userInfo[NetworkingOperationFailingURLResponseErrorKey] as? HTTPURLResponse
                === response
        )
        // Without a body, the user info has no data.
        let bare = Serialized(HTTPResponseSerializer(), response, nil as Data?).nsError
        #expect(bare?.userInfo[NetworkingOperationFailingURLResponseDataErrorKey] == nil)
    }

    @Test("V-06, V-02: The status code's error has the media type's error as its underlying error")
    func statusErrorWrapsMediaTypeError() throws {
        let serializer = HTTPResponseSerializer()
        serializer.acceptableContentTypes = ["text/plain"]
        let result = Serialized(serializer, try Responses.http(500, type: "text/html"), "<p>")
        #expect(result.chain == [statusError, contentTypeError])
        // An empty body has no media type error.
        let empty = Serialized(serializer, try Responses.http(500, type: "text/html"), "")
        #expect(empty.chain == [statusError])
    }

    @Test("V-07: The base serializer returns the body of any response")
    func theBaseReturnsTheBody() throws {
        let serializer = HTTPResponseSerializer()
        serializer.acceptableContentTypes = ["text/plain"]
        let result = Serialized(serializer, try Responses.http(500, type: "text/html"), "<p>")
        #expect(result.object as? Data == Data("<p>".utf8))
        #expect(Serialized(serializer, nil, nil as Data?).object == nil)
        #expect(
            Serialized(serializer, try Responses.http(204, type: nil), "").object as? Data == Data()
        )
    }

    @Test("V-25: A copy has all settings, and changes independently")
    func aCopyHasAllSettings() throws {
        let serializer = HTTPResponseSerializer()
        serializer.acceptableStatusCodes = [1, 2]
        serializer.acceptableContentTypes = ["a/b"]
        serializer.contentTypeMatching = .patterns
        serializer.validation = { _, _ in throw URLError(.badURL) }
        let copy = serializer.copy()
        #expect(copy !== serializer)
        #expect(copy.acceptance == serializer.acceptance)
        #expect(copy.validation != nil)
        copy.acceptableStatusCodes = nil
        #expect(serializer.acceptableStatusCodes == [1, 2])
    }

    @Test("V-25: The acceptance settings can be encoded and decoded")
    func acceptanceSettingsAreEncodedAndDecoded() throws {
        var acceptance = ResponseAcceptance(statusCodes: [200, 404], contentTypes: ["a/b", "c/d"])
        acceptance.contentTypeMatching = .patterns
        for value in [acceptance, ResponseAcceptance(statusCodes: nil)] {
            let stored = try JSONEncoder().encode(value)
            #expect(try JSONDecoder().decode(ResponseAcceptance.self, from: stored) == value)
        }
    }

    @Test func subclassOverridesValidation() throws {
        final class Teapot: HTTPResponseSerializer, @unchecked Sendable {
            override func validateResponse(
                _ response: HTTPURLResponse?,
                data: Data?
            ) -> ResponseValidity {
                response?.statusCode == 418 ? .valid : .invalid(URLError(.badServerResponse))
            }
        }
        #expect(Serialized(Teapot(), try Responses.http(418), "a").error == nil)
        #expect(Serialized(Teapot(), try Responses.http(200), "a").error is URLError)
        #expect(type(of: Teapot().copy()) == Teapot.self)
    }
}
