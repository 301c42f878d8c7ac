import Curl
import Testing

/// The installed libcurl, and the numbers that libcurl's names stand for.
@Suite struct CurlVersionTests {
    @Test("libcurl's version number agrees with its text, and is compared to others")
    func numberAndTextAgree() throws {
        let version = CurlVersion.current
        let parts = version.text.prefix { $0.isNumber || $0 == "." }.split(separator: ".")
            .compactMap { UInt32($0) }
        try #require(parts.count == 3)
        #expect(version.number == parts[0] << 16 | parts[1] << 8 | parts[2])
        #expect(version.isAtLeast(parts[0], parts[1], parts[2]))
        #expect(version.isAtLeast(parts[0], parts[1]) && version.isAtLeast(parts[0], 0))
        #expect(version.isAtLeast(parts[0] - 1, 255, 255))
        #expect(!version.isAtLeast(parts[0], parts[1], parts[2] + 1))
        #expect(!version.isAtLeast(parts[0], parts[1] + 1) && !version.isAtLeast(parts[0] + 1, 0))
        #expect(version.isAtLeast(7, 81), "the oldest that is supported")
    }

    @Test("libcurl has all features that this package requires")
    func neededFeaturesAreThere() {
        let version = CurlVersion.current
        #expect(CurlGlobal.initialisation == .ok)
        #expect(version.resolvesAsynchronously && version.supportsUnixSockets)
        #expect(version.tlsLibrary?.contains("/") == true)
        // OpenSSL's own QUIC is one of the ways to HTTP/3.
        #expect(!version.usesOpenSSLQUIC || version.supportsHTTP3)
        #expect(CurlGlobal.tracesStreams == version.isAtLeast(8, 3))
    }

    /// Numbers and texts of libcurl-errors(3).
    @Test(
        "A code's name has libcurl's number and text",
        arguments: [
            (.ok, 0, "No error"), (.unsupportedProtocol, 1, "Unsupported protocol"),
            (.failedInit, 2, "Failed initialization"), (.couldntResolveProxy, 5, "proxy"),
            (.couldntConnect, 7, "connect"), (.http2, 16, "HTTP2"), (.writeError, 23, "writ"),
            (.readError, 26, "read"), (.outOfMemory, 27, "Out of memory"),
            (.sslConnectError, 35, "SSL"), (.abortedByCallback, 42, "callback"),
            (.tooManyRedirects, 47, "redirects"), (.unknownOption, 48, "unknown option"),
            (.gotNothing, 52, "nothing"), (.sendError, 55, "send"), (.recvError, 56, "receiv"),
            (.badContentEncoding, 61, "Encoding"), (.sendFailRewind, 65, "rewind"),
            (.again, 81, "not ready"), (.http2Stream, 92, "HTTP/2"), (.proxy, 97, "roxy"),
        ] as [(CurlCode, Int32, String)]
    )
    func nameHasLibcurlsNumberAndText(code: CurlCode, number: Int32, text: String) {
        #expect(code.rawValue == number)
        #expect(code.description.lowercased().contains(text.lowercased()), "\(code)")
        #expect(code.isOK == (number == 0))
    }

    @Test(
        "A multi code's name has libcurl's number and text",
        arguments: [
            (.ok, 0, "No error"), (.badHandle, 1, "multi handle"),
            (.badEasyHandle, 2, "easy handle"),
            (.outOfMemory, 3, "memory"), (.internalError, 4, "Internal error"),
            (.badSocket, 5, "socket"), (.unknownOption, 6, "option"), (.addedAlready, 7, "already"),
            (.recursiveAPICall, 8, "callback"), (.wakeupFailure, 9, "ake"),
            (.badFunctionArgument, 10, "argument"), (.abortedByCallback, 11, "callback"),
        ] as [(MultiCode, Int32, String)]
    )
    func multiCodeHasLibcurlsNumberAndText(code: MultiCode, number: Int32, text: String) {
        #expect(code.rawValue == number)
        #expect(code.description.lowercased().contains(text.lowercased()), "\(code)")
        #expect(code.isOK == (number == 0))
    }

    @Test("A catch clause with a code's name catches only that code")
    func multiCodeIsMatchedInACatch() {
        for error: any Error in [MultiCode.badSocket, CurlCode(rawValue: 5)] {
            do {
                throw error
            } catch MultiCode.addedAlready {
                Issue.record("another code")
            } catch MultiCode.badSocket {
                #expect(error is MultiCode)
            } catch CurlCode.couldntResolveProxy {
                #expect(error is CurlCode)
            } catch {
                Issue.record("no pattern matched")
            }
        }
    }
}
