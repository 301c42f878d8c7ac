internal import CurlURLSession
internal import Foundation
internal import Testing

@testable internal import CurlNetworking

/// The causes of errors, and what is found in them.
@Suite struct ErrorCauseTests {
    /// An error with a chain of causes; the innermost comes first.
    private func chain(_ errors: [NSError]) throws -> NSError {
        let innermost = try #require(errors.first)
        return errors.dropFirst().reduce(innermost) { cause, error in
            error.withUnderlying(cause)
        }
    }

    private func own(_ code: Int) -> NSError { NSError(domain: "own", code: code) }

    @Test(arguments: [
        (URLError.Code.userCancelledAuthentication, NetworkingError.Kind.cancelled),
        (.dnsLookupFailed, .connectivity), (.internationalRoamingOff, .connectivity),
        (.callIsActive, .connectivity), (.dataNotAllowed, .connectivity),
        (.clientCertificateRejected, .clientCertificate), (.unsupportedURL, .invalidRequest),
        (.requestBodyStreamExhausted, .invalidRequest),
        (.secureConnectionFailed, .loading(.secureConnectionFailed)),
        (.badServerResponse, .loading(.badServerResponse)),
    ])
    func codeHasItsKind(code: URLError.Code, kind: NetworkingError.Kind) {
        #expect(NetworkingError(URLError(code)).kind == kind)
    }

    @Test func policysFailureTakesPrecedenceOverTheCode() {
        let failure = ServerTrustFailure.hostName("h")
        for code in [URLError.Code.serverCertificateHasBadDate, .serverCertificateUntrusted] {
            let error = URLError(code, userInfo: [NSUnderlyingErrorKey: failure])
            #expect(NetworkingError(error).kind == .serverTrust(failure))
        }
    }

    @Test func parsersErrorIsAnUndecodableBody() {
        let corrupt = NSError(domain: NSCocoaErrorDomain, code: 3840)
        #expect(NetworkingError(corrupt).kind == .undecodableBody)
        let file = NSError(domain: NSCocoaErrorDomain, code: 4)
        #expect(NetworkingError(file).kind == .other)
        #expect(NetworkingError(NSError(domain: "own", code: 3840)).kind == .other)
        let xml = NSError(domain: "NSXMLParserErrorDomain", code: 5)
        #expect(NetworkingError(xml).isResponseSerialization)
        let context = DecodingError.Context(codingPath: [], debugDescription: "")
        #expect(NetworkingError(DecodingError.dataCorrupted(context)).kind == .undecodableBody)
        let unwritable = EncodingError.Context(codingPath: [], debugDescription: "")
        #expect(
            NetworkingError(EncodingError.invalidValue(1, unwritable)).kind == .invalidRequest
        )
    }

    @Test func statusErrorWithoutAResponseHasNoStatus() {
        let error = NetworkingError(
            NSError(domain: URLResponseSerializationErrorDomain, code: -1011)
        )
        #expect(error.kind == .undecodableBody)
        #expect(error.responseCode == nil && error.responseContentType == nil)
        let type = NSError(domain: URLResponseSerializationErrorDomain, code: -1016)
        #expect(NetworkingError(type).kind == .unacceptableContentType(nil))
    }

    @Test func detailsAreThoseOfTheOuterError() throws {
        let key = NSURLSessionDownloadTaskResumeData
        let inner = NSError(domain: "own", code: 1, userInfo: [key: Data("inner".utf8)])
        let outer = NSError(domain: "own", code: 2, userInfo: [key: Data("outer".utf8)])
        #expect(NetworkingError(try chain([inner, own(3)])).resumeData == Data("inner".utf8))
        #expect(NetworkingError(try chain([inner, outer])).resumeData == Data("outer".utf8))
        #expect(NetworkingError(own(1)).resumeData == nil)
    }

    @Test func transportsErrorIsFoundUpToTheSixteenthCause() throws {
        let timeout = NSError(domain: NSURLErrorDomain, code: URLError.Code.timedOut.rawValue)
        let near = NetworkingError(try chain([timeout] + (1...15).map { own($0) }))
        #expect(near.urlError?.code == .timedOut)
        // It is a cause, not the error itself.
        #expect(!near.isSessionTaskError && near.kind == .other)
        let far = NetworkingError(try chain([timeout] + (1...16).map { own($0) }))
        #expect(far.urlError == nil)
    }

    @Test func causeIsAddedOnlyOnce() throws {
        let error = own(1).withUnderlying(own(2))
        #expect(error.withUnderlying(own(3)).chain.map(\.code) == [1, 2])
        #expect(own(1).withUnderlying(nil).chain.map(\.code) == [1])
        let details = NSError(domain: "own", code: 1, userInfo: ["key": "value"])
        #expect(details.withUnderlying(own(2)).userInfo["key"] as? String == "value")
    }

    @Test func laterErrorHasTheFormerAsItsCause() {
        let none: (any Error)? = nil
        let some: (any Error)? = own(1)
        #expect(none.caused(nil) == nil)
        #expect((some.caused(nil) as NSError?)?.chain.map(\.code) == [1])
        #expect((none.caused(own(2)) as NSError?)?.chain.map(\.code) == [2])
        #expect((some.caused(own(2)) as NSError?)?.chain.map(\.code) == [2, 1])
    }

    @Test func causeMustHaveCodeAndDomain() throws {
        let code = URLError.Code.cannotDecodeContentData
        let cause = NSError(domain: "mine", code: code.rawValue)
        let error = try chain([cause, own(1), own(2)])
        #expect(error.isOrIsCausedBy(code, in: "mine"))
        #expect(!error.isOrIsCausedBy(code, in: "own"))
        #expect(!error.isOrIsCausedBy(.cancelled, in: "mine"))
        #expect(cause.isOrIsCausedBy(code, in: "mine"))
    }
}
