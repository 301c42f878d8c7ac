/// A step of a job after which another start finds the journal or its files otherwise than before.
package enum JournalStep: String, Sendable, CaseIterable {
    /// The job is written down.
    case addJob
    /// The file for its bytes is made, or opened and cut to what counts.
    case openPart
    /// That a request is made is written down.
    case recordAttempt
    /// What there was before is thrown away.
    case emptyPart
    /// By what the content is known again is written down.
    case recordResponse
    /// Bytes are written to the file.
    case writeBytes
    /// How many bytes are durable is written down.
    case recordBytes
    /// The body is made durable.
    case synchronizePart
    /// That the file is moved is written down.
    case recordMove
    /// The file is moved.
    case move
    /// Its name is made durable.
    case synchronizeName
    /// The end is written down.
    case recordEnd
    /// That somebody was told of it is written down.
    case recordTold
}
