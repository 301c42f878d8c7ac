internal import Glibc

/// The end of the process.
package enum ProcessEnd {
    /// Ends it without running anything that was to run at its end.
    /// The corresponding C function is `_exit`.
    package static func now(status: Int32) -> Never { _exit(status) }
}
