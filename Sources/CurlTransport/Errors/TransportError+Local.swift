internal import Curl

extension TransportError.Mapping {
    /// Local failures: the request body, options, and calls that failed unexpectedly.
    init?(local code: CurlCode, _ context: FailureContext) {
        switch code {
        case .readError, .uploadFailed:
            self.init(
                .requestBodyFailed,
                "the request body couldn't be read",
                phase: .sending
            )
        case .sendFailRewind:
            self.init(
                .bodyNotReplayable,
                "the request body had to be sent again from its start",
                "Use a body that can be sent twice, such as bytes or a file.",
                phase: .sending
            )
        case .notBuiltIn, .functionNotFound, .unknownOption:
            self.init(
                .unsupportedFeature,
                "the installed libcurl lacks a feature that the options need",
                "Install a libcurl that was built with it.",
                phase: .queued
            )
        case .badFunctionArgument where context.errorContains("path-as-is"):
            self.init(
                .unsupportedFeature,
                "the installed libcurl makes no AWS signature for a path with dot segments",
                "Use a path without “.” and “..” segments.",
                phase: .queued
            )
        case .setoptOptionSyntax:
            self.init(
                .invalidRequest,
                "libcurl can't parse the value of an option",
                "Correct the option.",
                phase: .queued
            )
        case .unrecoverablePoll:
            self.init(
                .internal,
                "waiting for the network failed",
                retry: .idempotentOnly,
                usesErrno: true
            )
        case .ok, .failedInit, .remoteAccessDenied, .writeError, .httpPostError,
            .abortedByCallback, .badFunctionArgument, .again, .chunkFailed, .recursiveAPICall:
            self.init(
                .internal,
                "libcurl ended the transfer for a reason that wasn't recorded",
                "Report this as a defect."
            )
        default:
            // The remaining codes are retired or belong to other protocols.
            return nil
        }
    }
}
