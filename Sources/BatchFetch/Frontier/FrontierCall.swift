/// What a run wants of what waits on the disk.
struct FrontierCall: Sendable {
    /// How many jobs it has room for.
    var room: Int
    /// Hosts that had no room and have some now.
    var hosts: [String]
}

/// Whether, and for what, the feeder of a frontier waits.
enum FrontierWait: Sendable {
    case nothing
    /// For hosts that have room.
    case hosts
    /// For those, or for room in the whole run.
    case room
}
