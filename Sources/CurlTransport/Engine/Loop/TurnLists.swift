/// What the members of a loop did in the current turn.
///
/// The members are its transfers, or its connections for bytes.
struct TurnLists<Member: TurnMember> {
    /// The members that delivered something.
    private(set) var touched: [Member] = []

    /// The members that have used up their share.
    private var held: [Member] = []

    /// The members that ended, with their errors.
    private(set) var ended: [(member: Member, error: TransportError?)] = []

    /// The capacity up to which the memory of a list is kept.
    private static var keptCapacity: Int { 4096 }

    var isAnyHeld: Bool { !held.isEmpty }

    mutating func touch(_ member: Member) {
        guard !member.turn.isTouched else { return }
        member.turn.isTouched = true
        touched.append(member)
    }

    /// Lists a member for the next round. It must be listed only once.
    mutating func hold(_ member: Member) {
        guard !member.turn.isHeld else { return }
        member.turn.isHeld = true
        held.append(member)
    }

    mutating func end(_ member: Member, with error: TransportError?) {
        ended.append((member, error))
    }

    /// Returns the held members, and empties their list. The caller resets each one's mark.
    mutating func takeHeld() -> [Member] {
        defer { held = [] }
        return held
    }

    /// Empties the list of touched members, whose marks the caller has reset.
    mutating func removeTouched() {
        touched.removeAll(keepingCapacity: touched.capacity <= Self.keptCapacity)
    }

    mutating func removeEnded() {
        ended.removeAll(keepingCapacity: ended.capacity <= Self.keptCapacity)
    }
}

/// An object with a place in the lists of its loop's turn.
protocol TurnMember: AnyObject {
    var turn: TurnMarks { get set }
}

/// The lists of the turn that contain a member.
struct TurnMarks {
    /// Whether the member delivered something in this turn.
    var isTouched = false
    /// Whether the member has used up its share, and waits for the next round.
    var isHeld = false
}
