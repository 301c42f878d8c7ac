/// An option that can't be honoured: which, why, and what to do.
///
/// Values that may be secrets (passwords, tokens, header values, addresses with credentials) are
/// never part of the text.
struct InvalidOption: Error, Hashable, Sendable, CustomStringConvertible {
    /// The property's path below ``TransferOptions``, such as `proxy.server.port`.
    let option: String

    /// What is wrong with it and what to do, as the rest of a sentence that begins with the option.
    let reason: String

    /// What libcurl was built without, where that is the reason, such as `HTTP/3`.
    let missingFeature: String?

    /// The system's reason, where it was the system that refused.
    let errno: Int32?

    init(_ option: String, _ reason: String, errno: Int32? = nil) {
        self.option = option
        self.reason = reason
        self.errno = errno
        missingFeature = nil
    }

    /// An option that needs what the libcurl that runs was built without.
    init(_ option: String, missing feature: String) {
        self.option = option
        reason = "needs \(feature), which the installed libcurl was built without"
        missingFeature = feature
        errno = nil
    }

    var description: String { "\(option) \(reason)" }
}
