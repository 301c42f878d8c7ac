internal import CTestSupport

/// Limits of the kernel that a test reaches without using anything up.
package enum KernelLimits {
    /// From now on this thread can add no descriptor to an epoll set; there is no way back. False
    /// where the system doesn't let a program limit itself so.
    package static func refuseWatches() -> Bool {
        ts_refuse_watches() == 0
    }
}
