internal import CCurl
internal import Glibc

/// How many descriptors the process may have open at once.
package enum OpenFileLimit {
    /// Raises the limit to what the system allows this process, and returns what it is then.
    /// The corresponding C functions are `getrlimit` and `setrlimit` with `RLIMIT_NOFILE`.
    package static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1024
        }
        if limit.rlim_cur < limit.rlim_max {
            var raised = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
                limit = raised
            }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
