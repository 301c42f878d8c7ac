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
