internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Casts between `URLError` and `NSError`.
@Suite(.timeLimit(.minutes(10))) struct URLErrorBridgingTests {
    private func anyNSError(
        _ code: URLError.Code,
        domain: String = NSURLErrorDomain
    ) -> any Error {
        NSError(domain: domain, code: code.rawValue, userInfo: ["key": "value"])
    }

    @Test("A URLError is cast to the NSError with its domain, code and user info")
    func urlErrorIsCastToNSError() throws {
        let error = URLError(.timedOut, userInfo: ["key": "value"])
        let values: [Any] = [error, error as any Error]
        for value in values {
            let object = try #require(value as? NSError)
            #expect(object.domain == NSURLErrorDomain)
            #expect(object.code == -1001)
            #expect(object.userInfo["key"] as? String == "value")
            #expect(value is NSError)
            #expect(value as? URLError == error)
        }
        #expect((error as NSError).code == -1001)
        let none: Any? = nil
        #expect(none as? NSError == nil)
    }

    @Test("An NSError of the loading system is cast to the URLError with its code and user info")
    func nsErrorIsCastToURLError() throws {
        let error = anyNSError(.serverCertificateUntrusted)
        let cast = try #require(error as? URLError)
        #expect(cast.code == .serverCertificateUntrusted)
        #expect(cast.userInfo["key"] as? String == "value")
        let any: Any = error
        #expect((any as? URLError)?.code == .serverCertificateUntrusted)
        do {
            throw error
        } catch let caught as URLError {
            #expect(caught.code == .serverCertificateUntrusted)
        }
    }

    @Test("An NSError of another domain or with an unknown code isn't cast to URLError")
    func otherNSErrorsAreNotCast() {
        #expect(anyNSError(.timedOut, domain: NSCocoaErrorDomain) as? URLError == nil)
        let unknown: any Error = NSError(domain: NSURLErrorDomain, code: -123_456)
        #expect(unknown as? URLError == nil)
        #expect(!(unknown is URLError))
    }

    @Test("The error of a failed task is cast to NSError and to URLError")
    func errorOfATaskIsCast() async throws {
        let port = try LoopbackServer.unusedPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        let errors = EventRecorder<any Error>()
        let task = URLSession.test().dataTask(with: url) { _, _, error in
            if let error { errors.record(error) }
        }
        task.resume()
        let given = try await errors.first { _ in true }
        let values: [Any] = [given, try #require(task.error)]
        for error in values {
            #expect((error as? NSError)?.code == -1004)
            #expect((error as? URLError)?.code == .cannotConnectToHost)
        }
    }

    @Test(
        "Given an NSError that is no URLError, when it is converted, then it is the cause of an error",
        arguments: [("elsewhere", -1001), (NSURLErrorDomain, 7)]
    )
    func otherErrorIsTheCause(domain: String, code: Int) {
        let source = NSError(domain: domain, code: code)
        var result: URLError?
        URLError._forceBridgeFromObjectiveC(source, result: &result)
        for error in [result, URLError._unconditionallyBridgeFromObjectiveC(source)] {
            #expect(error?.code == .unknown)
            #expect(error?.userInfo[NSUnderlyingErrorKey] as? NSError === source)
        }
        #expect(URLError._unconditionallyBridgeFromObjectiveC(nil).code == .unknown)
    }
}
