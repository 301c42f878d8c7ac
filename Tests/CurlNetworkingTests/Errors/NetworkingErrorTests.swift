internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct NetworkingErrorTests {
    @Test("C-17, C-18, C-19, C-20: Error domain and user info keys are AFNetworking's")
    func domainAndKeysAreAFNetworkings() {
        #expect(
            URLResponseSerializationErrorDomain == "com.alamofire.error.serialization.response"
        )
        #expect(
            NetworkingOperationFailingURLRequestErrorKey
                == "com.alamofire.serialization.request.error.response"
        )
        #expect(
            NetworkingOperationFailingURLResponseErrorKey
                == "com.alamofire.serialization.response.error.response"
        )
        #expect(
            NetworkingOperationFailingURLResponseDataErrorKey
                == "com.alamofire.serialization.response.error.data"
        )
    }

    @Test(
        "A-21: Errors of the URL loading system are classified",
        arguments: [
            (URLError.Code.cancelled, NetworkingError.Kind.cancelled), (.timedOut, .timeout),
            (.cannotFindHost, .connectivity), (.cannotConnectToHost, .connectivity),
            (.networkConnectionLost, .connectivity), (.notConnectedToInternet, .connectivity),
            (.serverCertificateUntrusted, .serverTrust(nil)),
            (.serverCertificateHasBadDate, .serverTrust(.expired)),
            (.serverCertificateNotYetValid, .serverTrust(.notYetValid)),
            (.serverCertificateHasUnknownRoot, .serverTrust(.unknownAuthority)),
            (.clientCertificateRequired, .clientCertificate), (.badURL, .invalidRequest),
            (.httpTooManyRedirects, .loading(.httpTooManyRedirects)),
        ]
    )
    func errorsOfTheLoadingSystemAreSorted(code: URLError.Code, kind: NetworkingError.Kind) throws {
        let error = NetworkingError(URLError(code))
        #expect(error.kind == kind)
        #expect(error.isSessionTaskError)
        #expect(error.urlError?.code == code)
        #expect(error.isTimeout == (kind == .timeout))
        #expect(error.isCancelled == (kind == .cancelled))
        #expect(error.isConnectivity == (kind == .connectivity))
        // The same for a plain `NSError`, which completion handlers get.
        let plain = NSError(domain: NSURLErrorDomain, code: code.rawValue)
        #expect(NetworkingError(plain).kind == kind)
        #expect(NetworkingError(error).kind == kind)
    }

    @Test("A-21, C-20: The error of a rejected response has the response and its body")
    func aRefusedResponseCanBeHad() throws {
        let response = try Responses.http(404)
        let result = Serialized(JSONResponseSerializer(), response, #"{"e":1}"#)
        let error = NetworkingError(try #require(result.error))
        #expect(error.kind == .unacceptableStatusCode(404))
        #expect(error.isResponseValidation)
        #expect(!error.isSessionTaskError)
        #expect(error.responseCode == 404)
        #expect(error.response === response)
        #expect(error.responseData == Data(#"{"e":1}"#.utf8))
        #expect(error.url == response.url)
        #expect(error.errorDescription?.lowercased() == "request failed: not found (404)")
        #expect(error.underlyingError == nil)
    }

    @Test("A-21: The response is found in underlying errors")
    func responseIsFoundInUnderlyingErrors() throws {
        let broken = Serialized(JSONResponseSerializer(), try Responses.http(500), "{")
        let error = NetworkingError(try #require(broken.error))
        #expect(error.kind == .undecodableBody)
        #expect(error.isResponseSerialization)
        #expect(error.responseCode == 500)
        #expect((error.underlyingError as? NSError)?.code == -1011)
        let html = Serialized(JSONResponseSerializer(), try Responses.http(type: "text/html"), "x")
        let type = NetworkingError(try #require(html.error))
        #expect(type.kind == .unacceptableContentType("text/html"))
        #expect(type.responseContentType == "text/html")
        #expect(type.failureReason?.contains("text/html") == true)
        let none = Serialized(DataResponseSerializer(), try Responses.http(), "")
        let missing = try #require(none.error)
        #expect(NetworkingError(missing).kind == .missingBody)
    }

    @Test("A-21, C-16: Errors of invalid requests and unknown errors are classified")
    func otherErrorsAreSorted() {
        struct Refusal: Error {}
        let domain = "com.alamofire.error.serialization.request"
        #expect(NetworkingError(NSError(domain: domain, code: -1016)).kind == .invalidRequest)
        #expect(NetworkingError(CancellationError()).isCancelled)
        #expect(NetworkingError(ServerTrustFailure.pinMismatch).kind == .serverTrust(.pinMismatch))
        #expect(NetworkingError(Refusal()).kind == .other)
        #expect(NetworkingError(Refusal()).error is Refusal)
        #expect(NetworkingError(Refusal()).urlError == nil)
    }

    @Test("V-04: A failure reason quotes the start of a text body on one line")
    func aBodysBeginningIsShown() throws {
        func reason(_ data: Data) throws -> String {
            let serializer = HTTPResponseSerializer()
            serializer.acceptableContentTypes = ["a/b"]
            let result = Serialized(serializer, try Responses.http(type: "x/y"), data)
            return try #require(result.nsError?.localizedFailureReason)
        }
        #expect(try reason(Data("a\n\n  b".utf8)).hasSuffix("begins: “a b”"))
        #expect(try !reason(Data([0xFF, 0xFE, 1])).contains("begins"))
        #expect(try !reason(Data([0x61, 0, 0x62])).contains("begins"))
        #expect(try !reason(Data("  \n".utf8)).contains("begins"))
        // The quotation is truncated at a character boundary.
        for count in 790..<810 {
            let text =
                String(repeating: "a", count: count % 4) + String(repeating: "€", count: count)
            let shown = try reason(Data(text.utf8))
            #expect(shown.hasSuffix("€…”"))
            #expect(shown.count < 400)
        }
    }

    @Test("S-43: An untrusted certificate has Apple's error code, whatever Foundation's is")
    func untrustedCertificateHasApplesErrorCode() {
        let error: any Error = NSError.untrustedServer(nil, trust: nil, url: nil)
        #expect((error as NSError).code == -1202)
        #expect((error as? URLError)?.code == .serverCertificateUntrusted)
        #expect(URLError.Code.serverCertificateUntrusted.rawValue == -1202)
    }
}
