import Curl

/// The standard input and the two standard outputs.
package enum StandardFiles {
    /// Keeps the numbers of those that the program was started without from files and sockets. To
    /// be called before anything is opened.
    package static func reserve() { FileDescriptor.reserveStandard() }

    /// The number of `errno.h` where there is no such file.
    package static var isClosed: Int32 { FileError.badDescriptor }

    /// Writes out what was printed. That nobody reads it is no error.
    ///
    /// - Throws: ``BatchFailure/Code/output`` if it is lost.
    package static func flush() throws(BatchFailure) {
        do throws(FileError) {
            try FileDescriptor.flushPrinted()
        } catch {
            throw BatchFailure(.output, error)
        }
    }
}
