internal import CTestSupport

/// Reaches limits of the kernel without using up resources.
package enum KernelLimits {
    /// Makes epoll sets refuse new descriptors from this thread; it can't be undone. Returns false
    /// if the system has no such filters.
    package static func refuseWatches() -> Bool {
        ts_refuse_watches() == 0
    }
}
