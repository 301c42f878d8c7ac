import BatchFetch
import Posix

/// The standard input, output and error output.
enum StandardFiles {
    /// Reserves the descriptors of closed standard files.
    ///
    /// Other files and sockets then don't get them. Call it before anything is opened.
    static func reserve() { FileDescriptor.reserveStandard() }

    /// The `errno` value of a closed standard file (`EBADF`).
    static var isClosed: Int32 { FileError.badDescriptor }

    /// Flushes printed text.
    ///
    /// A closed pipe is no error as long as the standard error output has a reader: the reader of
    /// the text has seen what it needs.
    ///
    /// - Returns: False if both outputs are closed pipes.
    /// - Throws: ``BatchFailure/Code/output`` if text is lost.
    static func flush() throws(BatchFailure) -> Bool {
        do throws(FileError) {
            return try FileDescriptor.flushPrinted() || !FileDescriptor.standardError.hasNoReader
        } catch {
            throw BatchFailure(.output, error)
        }
    }
}
