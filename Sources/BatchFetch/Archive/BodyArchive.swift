/// Many bodies in few files. Its methods are called on disk threads, and may wait for the disk.
protocol BodyArchive: AnyObject, Sendable {
    /// Appends a response with its body, and says where it is.
    func add(_ response: ArchivedResponse, _ body: ArchivedBody) throws(BatchFailure) -> BodyEnd

    /// Closes the file that is being written. Nothing is added afterwards.
    func close() throws(BatchFailure)
}
