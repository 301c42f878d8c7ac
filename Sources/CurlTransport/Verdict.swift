/// What libcurl's failure of a transfer amounts to, before it is put into words.
struct Verdict {
    var code: TransportError.Code
    /// What was wrong, without a full stop.
    var what: String
    /// What to do about it, a sentence; empty where there is nothing to say.
    var advice: String
    var phase: TransportError.Phase?
    var retry: TransportError.Retry?
    /// Whether the system's error number belongs to this failure.
    var usesErrno = false

    init(
        _ code: TransportError.Code,
        _ what: String,
        _ advice: String = "",
        phase: TransportError.Phase? = nil,
        retry: TransportError.Retry? = nil,
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
