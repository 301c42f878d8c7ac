internal import Glibc

/// The process' environment variables.
package enum ProcessEnvironment {
    /// The value of a variable; nil where there is none.
    ///
    /// The C library doesn't protect its table: a program that changes its environment while other
    /// threads read it is at fault. The corresponding C function is `getenv`.
    package static func value(of name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
