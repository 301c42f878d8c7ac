import Curl
import Testing

@testable import CurlTransport

extension TransportErrorMappingTests {
    /// A transfer that failed at a stage, over TLS.
    enum Stage: Int, CaseIterable {
        case resolving, connecting, securing, waiting, receiving

        func context(scheme: String = "https") -> FailureContext {
            var context = FailureContext(scheme: scheme, url: "\(scheme)://h/p")
            context.isNameLookupDone = rawValue > Self.resolving.rawValue
            context.isConnectDone = rawValue > Self.connecting.rawValue
            context.isAppConnectDone = rawValue > Self.securing.rawValue && scheme == "https"
            context.isPreTransferDone = rawValue > Self.securing.rawValue
            context.headReceived = self == .receiving
            return context
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var curl: CurlCode
        var code: TransportError.Code
        var phase: TransportError.Phase
        var retry: TransportError.Retry
        var stage = Stage.waiting
        var says = ""
        var errno: Int32 = 0
        var verifyResult = 0
        var connectCode = 0
        var usesProxy = false
        var isReused = false
        var bytesSent: Int64 = 0

        var testDescription: String {
            "\(curl.rawValue) \(says) errno \(errno) verify \(verifyResult) -> \(code)"
        }

        var error: TransportError {
            var context = stage.context()
            context.errorBuffer = says
            context.systemErrno = errno
            context.verifyResult = verifyResult
            context.connectCode = connectCode
            context.usesProxy = usesProxy
            context.isConnectionReused = isReused
            context.bytesSent = bytesSent
            return TransportError(curlCode: curl, context: context)
        }
    }
}
