/// What a hostile server does in place of a good answer.
enum HostileFault: CaseIterable, Sendable {
    /// 429 with a `Retry-After` in seconds.
    case busySeconds
    /// 429 with a `Retry-After` that is a date.
    case busyDate
    /// 503 with a `Retry-After` in seconds.
    case overloadedSeconds
    /// 503 without one.
    case overloaded
    case resetBeforeHead
    case resetInBody
    case stallBeforeHead
    case stallInBody
    case lengthTooLong
    case lengthTooShort
    /// The server's own checksum is another body's.
    case wrongAnnouncement
    case damagedBody
    case cutGzip
    case redirectHere
    case redirectElsewhere

    /// How often each host does it.
    var count: Int {
        switch self {
        case .busySeconds: 2
        // They take a second, or two.
        case .busyDate, .overloadedSeconds, .stallBeforeHead, .stallInBody: 1
        case .overloaded, .resetBeforeHead, .resetInBody, .lengthTooLong: 4
        case .lengthTooShort, .wrongAnnouncement, .damagedBody, .cutGzip: 3
        case .redirectHere, .redirectElsewhere: 5
        }
    }

    /// Whether the body isn't the one of the list: a second time, that is final.
    var isMismatch: Bool {
        switch self {
        case .lengthTooShort, .wrongAnnouncement, .damagedBody, .cutGzip: true
        default: false
        }
    }

    var isRedirect: Bool { self == .redirectHere || self == .redirectElsewhere }
}
