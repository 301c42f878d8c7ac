import Curl
import CurlTransport
import Foundation
import Testing

@testable import CurlURLSession

/// Tests which `URLError` code each transport error has.
struct URLErrorMappingTests {
    private func number(_ error: TransportError) -> Int {
        URLError(error, url: nil).errorCode
    }

    // MARK: Transport error codes

    /// Apple's numbers. A new transport error code fails the test until it is added here.
    static let numbers: [(code: String, number: Int)] = [
        ("cancelled", -999), ("shutdown", -999), ("invalidRequest", -1000), ("invalidURL", -1000),
        ("unsupportedURL", -1002), ("unsupportedFeature", -1), ("configuration", -1),
        ("requestBodyFailed", -1021), ("bodyNotReplayable", -1021), ("fileWriteFailed", -3003),
        ("queueFull", -1008), ("poolTimeout", -1001), ("circuitOpen", -1008),
        ("connectTimeout", -1001), ("tlsTimeout", -1001),
        ("firstByteTimeout", -1001), ("idleTimeout", -1001), ("deadlineExceeded", -1001),
        ("hostNotFound", -1003), ("connectRefused", -1004), ("connectFailed", -1004),
        ("addressRefused", -1004),
        ("networkUnreachable", -1009), ("noLocalPort", -1004), ("bindFailed", -1004),
        ("proxyNotFound", -1003), ("proxyFailed", -1004), ("proxyRefused", -1011),
        ("tlsHandshakeFailed", -1200), ("tlsConfiguration", -1200), ("clientCertificate", -1205),
        ("clientCertificateRequired", -1206), ("certificateExpired", -1201),
        ("certificateNotYetValid", -1204), ("certificateUntrusted", -1202),
        ("certificateRevoked", -1202), ("certificateHostname", -1202),
        ("certificateStatus", -1202), ("pinMismatch", -1202), ("trustRefused", -1202),
        ("connectionLost", -1005), ("emptyReply", -1005), ("unanswered", -1005),
        ("truncatedResponse", -1005),
        ("invalidResponse", -1011), ("responseHeadTooLarge", -1103), ("responseTooLarge", -1103),
        ("decodingFailed", -1015), ("http2Connection", -1005), ("streamReset", -1005),
        ("http3", -1005), ("rangeNotSupported", -1011), ("authenticationFailed", -1013),
        ("tooManyRedirects", -1007), ("redirectForbidden", -1010), ("resourceExhausted", -1),
        ("internal", -1), ("unknown", -1),
    ]

    @Test("C9: Every TransportError code maps to Apple's number")
    func everyCodeHasApplesNumber() {
        let codes = Dictionary(
            uniqueKeysWithValues: TransportError.Code.all.map { ($0.description, $0) }
        )
        #expect(Set(codes.keys) == Set(Self.numbers.map(\.code)))
        for (name, expected) in Self.numbers {
            guard let code = codes[name] else { continue }
            let error = TransportError(code, phase: .done, message: "m")
            #expect(number(error) == expected, "\(name)")
            // A number without a case would trap when `code` is read.
            #expect(URLError(error, url: nil).code.rawValue == expected, "\(name)")
        }
    }

    @Test("C9: TLS error numbers are Apple's, not those of Foundation's global constants")
    func tlsErrorsHaveApplesNumbers() {
        func number(_ code: URLError.Code) -> Int {
            URLError(code, url: nil, reason: "r").errorCode
        }
        #expect(number(.secureConnectionFailed) == -1200)
        #expect(number(.serverCertificateHasBadDate) == -1201)
        #expect(number(.serverCertificateUntrusted) == -1202)
        #expect(number(.serverCertificateHasUnknownRoot) == -1203)
        #expect(number(.serverCertificateNotYetValid) == -1204)
        #expect(number(.clientCertificateRejected) == -1205)
        #expect(number(.clientCertificateRequired) == -1206)
    }

    // MARK: libcurl error codes

    /// Apple's numbers for libcurl's error codes 0 to 101, for a transfer that fails early.
    static let curlNumbers: [Int] = [
        -1, -1002, -1, -1000, -1, -1003, -1003, -1004, -1011, -1,  // 0
        -1, -1, -1, -1, -1, -1, -1005, -1, -1005, -1,  // 10
        -1, -1, -1011, -1, -1, -1021, -1021, -1, -1001, -1,  // 20
        -1, -1, -1, -1011, -1, -1200, -1011, -1, -1, -1,  // 30
        -1, -1, -1, -1, -1, -1004, -1, -1007, -1, -1,  // 40
        -1, -1202, -1005, -1200, -1200, -1005, -1005, -1, -1205, -1200,  // 50
        -1202, -1015, -1, -1103, -1200, -1021, -1200, -1013, -1, -1,  // 60
        -1, -1, -1, -1, -1, -1, -1, -1200, -1, -1,  // 70
        -1005, -1, -1203, -1203, -1, -1, -1, -1, -1, -1,  // 80
        -1202, -1202, -1005, -1, -1013, -1005, -1004, -1004, -1206, -1,  // 90
        -1103, -1200,  // 100
    ]

    private func error(
        _ curl: Int32,
        verifyResult: Int = 0,
        says words: String = ""
    ) -> TransportError {
        var context = FailureContext(scheme: "https", url: "https://h/p")
        context.verifyResult = verifyResult
        context.errorBuffer = words
        return TransportError(curlCode: CurlCode(rawValue: curl), context: context)
    }

    @Test("D6: Every libcurl error code maps to one of Apple's numbers")
    func everyLibcurlErrorHasAnAppleNumber() {
        #expect(Self.curlNumbers.count == 102)
        for (curl, expected) in Self.curlNumbers.enumerated() {
            #expect(number(error(Int32(curl))) == expected, "CURLcode \(curl)")
        }
    }

    /// If libcurl has new error codes, this test fails until they are in the table.
    @Test func tableHasEveryLibcurlError() {
        let nothing = CurlCode(rawValue: 9_999).description
        for number in Int32(Self.curlNumbers.count)..<500 {
            #expect(CurlCode(rawValue: number).description == nothing, "CURLcode \(number)")
        }
        #expect(CurlCode(rawValue: 60).description != nothing)
    }

    @Test func anyNumberBecomesAnError() {
        for curl in [Int32.min, -1, 102, 4_711, .max] {
            #expect(number(error(curl)) == -1)
        }
    }

    @Test(
        "D6: Different certificate faults map to different codes",
        arguments: [
            (10, -1201), (9, -1204), (2, -1203), (18, -1203), (19, -1203), (20, -1203),
            (21, -1203), (23, -1202), (62, -1202), (64, -1202), (0, -1202), (4_711, -1202),
        ]
    )
    func certificateFaultsHaveDifferentCodes(verifyResult: Int, expected: Int) {
        #expect(number(error(60, verifyResult: verifyResult)) == expected)
    }

    @Test func requiredAndRejectedClientCertificatesDiffer() {
        let words = "OpenSSL SSL_read: tlsv13 alert certificate required, errno 0"
        #expect(number(error(56, says: words)) == -1206)
        #expect(number(error(35, says: "alert bad certificate")) == -1205)
    }
}
