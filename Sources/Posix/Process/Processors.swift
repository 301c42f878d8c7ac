internal import CPosix
internal import Glibc

/// The processors of the machine.
package enum Processors {
    /// The number of processors that this process may use; at least 1.
    ///
    /// Those count to which it is confined, by `taskset` for example.
    package static var usableCount: Int {
        let count = Int(cposix_usable_processors())
        return count > 0 ? count : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
}
