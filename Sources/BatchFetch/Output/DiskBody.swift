/// A body on its way to a disk. Its methods are called on a disk thread, never two at once, and may
/// wait for the disk.
protocol DiskBody: AnyObject, Sendable {
    /// Takes the next bytes.
    func append(_ bytes: [UInt8]) throws(BatchFailure)

    /// The body is complete: puts it where it is to be.
    func commit() throws(BatchFailure) -> BodyEnd

    /// The body is given up: leaves nothing behind.
    func drop()
}

/// One of which a part may be kept until the rest comes.
protocol ResumableBody: DiskBody {
    /// Whether some of it was there before, so that only it itself can show all of it to a verifier.
    var isParted: Bool { get }

    /// Of which several pieces are fetched at once, if they are.
    var group: SegmentGroup? { get }

    /// How many bytes are to come, if it isn't all that does.
    var limit: Int64? { get }

    /// As ``DiskBody/commit()``, after the verifier has seen all and found it right; else nothing is left
    /// behind. A body of which something is missing yet is suspended instead.
    func commit(checking verifier: BodyVerifier?) throws(BatchFailure) -> BodyEnd

    /// No more comes: keeps what is there.
    func suspend() throws(BatchFailure) -> BodyEnd
}
