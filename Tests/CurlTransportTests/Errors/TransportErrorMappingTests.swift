import Curl
import Glibc
import Posix
import Testing

@testable import CurlTransport

/// The mapping from libcurl's code to the error, row by row.
struct TransportErrorMappingTests {
    private func expect(_ row: Row) {
        let error = row.error
        #expect(error.code == row.code)
        #expect(error.phase == row.phase)
        #expect(error.retry == row.retry)
        #expect(error.curlCode == row.curl.rawValue)
        #expect(error.message.contains("http"))
    }

    @Test(arguments: connectFailures)
    func connectFailuresAreMapped(row: Row) { expect(row) }

    @Test(arguments: timeouts)
    func timeoutCodeDependsOnPhase(row: Row) {
        expect(row)
        #expect(row.error.isTimeout == true)
        #expect(row.error.systemErrno == nil)
    }

    @Test(arguments: tlsFailures)
    func tlsFailuresAreMapped(row: Row) { expect(row) }

    @Test(arguments: [
        (10, "", TransportError.Code.certificateExpired), (9, "", .certificateNotYetValid),
        (2, "", .certificateUntrusted), (18, "", .certificateUntrusted),
        (19, "", .certificateUntrusted), (20, "", .certificateUntrusted),
        (21, "", .certificateUntrusted), (23, "", .certificateRevoked),
        (62, "", .certificateHostname), (0, "", .certificateUntrusted),
        (4711, "", .certificateUntrusted),
        (
            0, "SSL: no alternative certificate subject name matches target host name 'h'",
            .certificateHostname
        ),
        (
            0, "SSL: certificate subject name 'a' does not match target host name 'b'",
            .certificateHostname
        ),
        (0, "SSL certificate problem: certificate has expired", .certificateExpired),
        (0, "SSL certificate problem: certificate is not yet valid", .certificateNotYetValid),
    ])
    func certificateFailuresAreMappedByVerifyResult(
        verifyResult: Int,
        words: String,
        code: TransportError.Code
    ) {
        let row = Row(
            curl: .peerFailedVerification,
            code: code,
            phase: .tls,
            retry: .never,
            stage: .securing,
            says: words,
            verifyResult: verifyResult
        )
        expect(row)
        #expect(row.error.isTLS == true)
        #expect(row.error.verifyResult == (verifyResult == 0 ? nil : verifyResult))
    }

    @Test(arguments: transferFailures)
    func transferFailuresAreMapped(row: Row) { expect(row) }

    @Test(arguments: localFailures)
    func localFailuresAreMapped(row: Row) { expect(row) }

    @Test func everyCurlCodeIsMappedInEveryPhase() {
        let words = ["", "alert", "HTTP/0.9", "chunked-encoding", "header", "(err 7)", "\u{0}é"]
        let errnos: [Int32] = [0, -1, ECONNREFUSED, ECONNRESET, 4711, .max]
        for number in [Int32.min, -1] + Array(0...130) + [.max] {
            for stage in Stage.allCases {
                for text in words {
                    for errno in errnos {
                        var context = stage.context(scheme: errno == 0 ? "http" : "https")
                        context.errorBuffer = text
                        context.systemErrno = errno
                        let code = CurlCode(rawValue: number)
                        let error = TransportError(curlCode: code, context: context)
                        #expect(error.curlCode == number)
                        #expect(error.message.isEmpty == false)
                    }
                }
            }
        }
    }

    /// Only codes of other protocols and retired ones map to no known error.
    @Test func onlyCodesOfOtherProtocolsAreUnmapped() {
        let context = Stage.waiting.context()
        let unknown = (0...101).filter {
            TransportError(curlCode: CurlCode(rawValue: $0), context: context).code == .unknown
        }
        let otherProtocols: [Int32] = [
            10, 11, 12, 13, 14, 15, 17, 19, 21, 30, 31, 37, 38, 39, 68, 69, 70, 71, 72, 73, 74, 78,
            79, 84, 85, 86, 87,
        ]
        let retired: [Int32] = [20, 24, 29, 32, 40, 44, 46, 50, 57, 62, 75, 76]
        #expect(Set(unknown) == Set(otherProtocols + retired))
    }

    @Test func errnoIsUsedOnlyWhereItApplies() {
        for (curl, isBelieved) in [
            (CurlCode.couldntConnect, true), (.recvError, true), (.sendError, true),
            (.interfaceFailed, true), (.gotNothing, false), (.partialFile, false),
            (.peerFailedVerification, false), (.couldntResolveHost, false),
        ] {
            var context = Stage.waiting.context()
            context.systemErrno = ECONNREFUSED
            let error = TransportError(curlCode: curl, context: context)
            #expect((error.systemErrno != nil) == isBelieved)
            #expect(error.message.contains("errno") == isBelieved)
        }
    }
}
