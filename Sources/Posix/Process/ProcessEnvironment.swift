internal import CPosix
internal import Glibc

/// The environment variables of the process.
package enum ProcessEnvironment {
    /// The value of a variable; nil if it isn't set.
    ///
    /// The C library doesn't protect its table: a program must not change its environment while
    /// other threads read it. The corresponding C function is `getenv`.
    package static func value(of name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Removes a variable. The corresponding C function is `unsetenv`.
    package static func remove(_ name: String) { _ = unsafe unsetenv(name) }
}

/// The character encoding of the process.
package enum CharacterEncoding {
    /// Chooses UTF-8, regardless of the environment's locale.
    ///
    /// libcurl converts host names such as `bücher.example` for the DNS from the locale's encoding
    /// (`CURLOPT_URL`), and a process begins in the locale `C`, which has only ASCII. Call it before
    /// threads start. No other part of the locale changes.
    package static func useUTF8() {
        // glibc has the first since 2.35. Debian and Fedora had it before.
        for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8"] {
            if unsafe setlocale(LC_CTYPE, name) != nil { return }
        }
        // That of the environment may have UTF-8, too.
        unsafe setlocale(LC_CTYPE, "")
    }
}

/// The end of the process.
package enum ProcessEnd {
    /// Ends the process without running exit handlers.
    ///
    /// The corresponding C function is `_exit`.
    package static func now(status: Int32) -> Never { _exit(status) }
}

/// What signals do that the program doesn't receive.
package enum SignalActions {
    /// Sets the actions of a program that reports failed writes itself.
    ///
    /// `SIGPIPE` is ignored, so that writing to a pipe without a reader is an error (`EPIPE`).
    /// `SIGQUIT` ends the process and dumps core, unless the program was started with it ignored:
    /// the Swift runtime may have set a handler that prints a report and continues. Call it before
    /// other threads start. The corresponding C function is `signal`.
    package static func setForProgram() {
        _ = signal(SIGPIPE, SIG_IGN)
        cposix_reset_signal(SIGQUIT)
    }
}

/// The limit of open descriptors of the process.
package enum OpenFileLimit {
    /// The limit now; 1024 if the system doesn't tell it.
    package static var current: Int {
        limit.map { Int(clamping: $0.rlim_cur) } ?? 1024
    }

    /// Raises the limit to the maximum for this process, and returns it.
    ///
    /// The corresponding C functions are `getrlimit` and `setrlimit` with `RLIMIT_NOFILE`.
    package static func raise() -> Int {
        if let limit, limit.rlim_cur < limit.rlim_max {
            var raised = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised)
        }
        return current
    }

    private static var limit: rlimit? {
        var limit = rlimit()
        let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return result == 0 ? limit : nil
    }
}

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
