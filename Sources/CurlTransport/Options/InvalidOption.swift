/// An error for an option that can't be applied, with reason and advice.
///
/// The text never contains values that may be secrets (passwords, tokens, header values, addresses
/// with credentials).
struct InvalidOption: Error, Hashable, Sendable, CustomStringConvertible {
    /// The property's path below ``TransferOptions``, such as `proxy.server.port`.
    let option: String

    /// The reason and the advice.
    ///
    /// They are the rest of a sentence that begins with the option.
    let reason: String

    /// The feature that libcurl was built without, such as `HTTP/3`; nil for other reasons.
    let missingFeature: String?

    /// The system's error; nil if no system call failed.
    let errno: Int32?

    init(_ option: String, _ reason: String, errno: Int32? = nil) {
        self.option = option
        self.reason = reason
        self.errno = errno
        missingFeature = nil
    }

    /// Creates the error for an option that needs a feature that libcurl was built without.
    init(_ option: String, missing feature: String) {
        self.option = option
        reason = "needs \(feature), which the installed libcurl was built without"
        missingFeature = feature
        errno = nil
    }

    var description: String { "\(option) \(reason)" }
}

extension InvalidOption {
    /// The public form of this error.
    var transportError: TransportError {
        if let missingFeature {
            .unsupportedFeature("\(missingFeature), which the option \(option) asks for")
        } else {
            .configuration("the option \(description)", systemErrno: errno)
        }
    }
}
