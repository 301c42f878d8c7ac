/// A fault of a hostile server, instead of a good answer.
enum HostileFault: CaseIterable, Sendable {
    /// 429 with a `Retry-After` in seconds.
    case busySeconds
    /// 429 with a date as `Retry-After`.
    case busyDate
    /// 503 with a `Retry-After` in seconds.
    case overloadedSeconds
    /// 503 without `Retry-After`.
    case overloaded
    case resetBeforeHead
    case resetInBody
    case stallBeforeHead
    case stallInBody
    case lengthTooLong
    case lengthTooShort
    /// The server's checksum is that of another body.
    case wrongAnnouncement
    case damagedBody
    /// Truncated compressed content in a response of the announced length.
    case cutGzip
    case redirectHere
    case redirectElsewhere

    /// How often each host has this fault.
    var count: Int {
        switch self {
        case .busySeconds: 2
        // Each of these takes a second or two.
        case .busyDate, .overloadedSeconds, .stallBeforeHead, .stallInBody: 1
        case .overloaded, .resetBeforeHead, .resetInBody, .lengthTooLong: 4
        case .lengthTooShort, .wrongAnnouncement, .damagedBody, .cutGzip: 3
        case .redirectHere, .redirectElsewhere: 5
        }
    }

    /// Whether the body differs from the list's digest; a second mismatch is final.
    var isMismatch: Bool {
        switch self {
        case .lengthTooShort, .wrongAnnouncement, .damagedBody: true
        default: false
        }
    }

    var isRedirect: Bool { self == .redirectHere || self == .redirectElsewhere }
}
