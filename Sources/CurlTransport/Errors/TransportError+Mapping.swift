extension TransportError {
    /// The error for a `CURLcode`, before its message is composed.
    struct Mapping {
        var code: Code
        /// What failed, without a full stop.
        var what: String
        /// What to do about it, a sentence; empty for none.
        var advice: String
        var phase: Phase?
        var retry: Retry?
        /// Whether the system's `errno` belongs to this failure.
        var usesErrno = false

        init(
            _ code: Code,
            _ what: String,
            _ advice: String = "",
            phase: Phase? = nil,
            retry: Retry? = nil,
            usesErrno: Bool = false
        ) {
            self.code = code
            self.what = what
            self.advice = advice
            self.phase = phase
            self.retry = retry
            self.usesErrno = usesErrno
        }
    }
}
