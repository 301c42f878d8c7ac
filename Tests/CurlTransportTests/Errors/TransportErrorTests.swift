import Curl
internal import HTTPSemantics
import Posix
import Testing

@testable import CurlTransport

struct TransportErrorTests {
    @Test func messageHasFailurePlaceAndAdvice() {
        var context = FailureContext(scheme: "http", url: "http://h:81/p")
        context.peer = "127.0.0.1:81"
        context.systemErrno = 111
        context.errorBuffer = "Failed to connect to h port 81 after 0 ms"
        context.isNameLookupDone = true
        context.bytesSent = 3
        context.bytesReceived = 4
        let error = TransportError(curlCode: .couldntConnect, context: context)
        #expect(
            error.message
                == "the connection was refused (http://h:81/p, at 127.0.0.1:81, errno 111). "
                + "libcurl says: Failed to connect to h port 81 after 0 ms. "
                + "Check that a service listens there."
        )
        #expect(error.description == "connectRefused (tcp, curl 7): \(error.message)")
        #expect(error.url == "http://h:81/p")
        #expect(error.peer == "127.0.0.1:81")
        #expect(error.bytesSent == 3)
        #expect(error.bytesReceived == 4)
    }

    @Test func messageUsesCodeDescriptionWithoutErrorText() {
        let error = TransportError(
            curlCode: .gotNothing,
            context: FailureContext(scheme: "http")
        )
        #expect(error.message.contains("Server returned nothing") == true)
    }

    @Test(arguments: Int32(0)...101)
    func errorDescriptionsAreRedacted(number: Int32) {
        var context = FailureContext(
            scheme: "https",
            url: "https://user:secret@h/p?token=secret#secret"
        )
        context.errorBuffer =
            "cannot fetch 'https://user:secret@h/p?secret' via user:secret@proxy or /p?secret"
        let error = TransportError(curlCode: CurlCode(rawValue: number), context: context)
        #expect(
            "\(error) \(error.url ?? "") \(String(reflecting: error))".contains("secret") == false
        )
        #expect(error.url == "https://h/p")
    }

    @Test func ownReasonsAreRedacted() {
        let url = "https://user:secret@h/p?secret"
        let errors: [TransportError] = [
            .invalidRequest("no", url: url), .tooManyRedirects(limit: 3, url: url),
            .redirectForbidden("no", url: url), .responseTooLarge(limit: 9, url: url),
            .invalidResponse("no", url: url), .trustRefused(url: url),
            .unsupportedURL(scheme: "ftp", url: url), .configuration("unreadable \(url)"),
            .timedOut(.idleTimeout, after: .seconds(1), phase: .receiving, url: url),
        ]
        for error in errors {
            #expect(String(reflecting: error).contains("secret") == false)
            #expect(error.curlCode == nil)
        }
    }

    @Test func everyReasonHasItsCode() {
        let reasons: [(TransportError, TransportError.Code)] = [
            (.cancelled, .cancelled), (.shutdown, .shutdown),
            (.invalidRequest(""), .invalidRequest), (.invalidURL(""), .invalidURL),
            (.unsupportedURL(scheme: ""), .unsupportedURL),
            (.bodyNotReplayable, .bodyNotReplayable),
            (.tooManyRedirects(limit: 1), .tooManyRedirects),
            (.redirectForbidden(""), .redirectForbidden),
            (.responseTooLarge(limit: 1), .responseTooLarge),
            (.responseHeadTooLarge(""), .responseHeadTooLarge),
            (.invalidResponse(""), .invalidResponse),
            (.requestBodyFailed(""), .requestBodyFailed), (.fileWriteFailed(""), .fileWriteFailed),
            (.configuration(""), .configuration), (.unsupportedFeature(""), .unsupportedFeature),
            (.trustRefused(), .trustRefused),
        ]
        for (error, code) in reasons {
            #expect(error.code == code)
            #expect(error.isRetryable == false)
        }
    }

    @Test(arguments: [
        (TransportError.Code.poolTimeout, "in the queue", TransportError.Retry.always),
        (.connectTimeout, "no connection", .always), (.tlsTimeout, "handshake", .always),
        (.firstByteTimeout, "didn't begin", .idempotentOnly),
        (.idleTimeout, "no byte", .idempotentOnly),
        (.deadlineExceeded, "didn't end", .idempotentOnly),
    ])
    func timeoutMessageNamesItsPhase(
        code: TransportError.Code,
        words: String,
        retry: TransportError.Retry
    ) {
        let error = TransportError.timedOut(
            code,
            after: .milliseconds(1_500),
            phase: .queued,
            url: "http://h/"
        )
        #expect(error.isTimeout == true)
        #expect(error.retry == retry)
        #expect(error.message.contains(words) == true)
        #expect(error.message.contains("1.5 seconds") == true)
    }

    @Test func codeNamesAreDistinctTokens() {
        let names = TransportError.Code.all.map(\.description)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.utf8.allSatisfy(\.isTokenByte) })
    }

    @Test func predicatesDistinguishKinds() {
        func codes(_ predicate: (TransportError) -> Bool) -> Set<String> {
            Set(
                TransportError.Code.all
                    .filter { predicate(TransportError($0, phase: .done, message: "")) }
                    .map(\.description)
            )
        }
        #expect(
            codes(\.isTimeout) == [
                "poolTimeout", "connectTimeout", "tlsTimeout", "firstByteTimeout", "idleTimeout",
                "deadlineExceeded",
            ]
        )
        #expect(codes(\.isCancelled) == ["cancelled", "shutdown"])
        #expect(codes(\.isTLS).isSuperset(of: ["pinMismatch", "certificateExpired"]))
        #expect(codes(\.isConnectivity).isSuperset(of: ["hostNotFound", "connectionLost"]))
        #expect(codes(\.isTLS).isDisjoint(with: codes(\.isConnectivity)))
        #expect(codes { $0.isTLS && $0.isRetryable } == ["tlsTimeout", "tlsHandshakeFailed"])
    }
}
