/// A body that is being written.
///
/// Its methods are called on a disk thread, serially, and may block on the disk.
protocol WrittenBody: AnyObject, Sendable {
    /// Writes the next bytes.
    func append(_ bytes: [UInt8]) throws(BatchFailure)

    /// Moves the complete body to its destination, and calls `done` once, on any thread.
    func commit(_ done: @escaping @Sendable (BodyEnd) -> Void)

    /// Abandons the body, and removes what was written.
    func drop()

    /// Notes the address and port of the peer that sent the body. May be called on any thread.
    func note(peer: String)
}

extension WrittenBody {
    func note(peer: String) {}
}

/// A body whose destination is on a disk.
protocol DiskBody: WrittenBody {
    /// Moves the complete body to its destination.
    func commit() throws(BatchFailure) -> BodyEnd
}

extension DiskBody {
    func commit(_ done: @escaping @Sendable (BodyEnd) -> Void) {
        do throws(BatchFailure) {
            done(try commit())
        } catch {
            done(.failed(error))
        }
    }
}

/// A body that can be kept incomplete and resumed.
protocol ResumableBody: DiskBody {
    /// Whether a part of the body existed before. Then only the body can feed all of it to a
    /// verifier.
    var isPartial: Bool { get }

    /// The file that this body shares with concurrent segments, if any.
    var segmentedFile: SegmentedFile? { get }

    /// The number of bytes to take, if fewer than the server sends.
    var limit: Int64? { get }

    /// Commits as ``DiskBody/commit()`` does, after the verifier has checked the whole body.
    ///
    /// Removes the body if the check fails. Suspends the body if a part is still missing.
    func commit(checking verifier: BodyVerifier?) throws(BatchFailure) -> BodyEnd

    /// Ends the transfer, and keeps the part that has arrived.
    func suspend() throws(BatchFailure) -> BodyEnd
}
