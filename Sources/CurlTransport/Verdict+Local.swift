internal import Curl

extension Verdict {
    /// Failures on this side: the request body, options, and calls that should have worked.
    init?(local code: CurlCode) {
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
                "the request body had to be sent again, from its start",
                "Use a body that can be asked for twice: bytes or a file.",
                phase: .sending
            )
        case .notBuiltIn, .functionNotFound, .unknownOption:
            self.init(
                .unsupportedFeature,
                "the installed libcurl can't do what was asked for",
                "Install a libcurl that was built with it.",
                phase: .queued
            )
        case .setoptOptionSyntax:
            self.init(
                .invalidRequest,
                "an option's text isn't what libcurl expects",
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
            // What is left are codes of other protocols, and retired ones.
            return nil
        }
    }
}
