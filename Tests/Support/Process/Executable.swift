internal import Glibc

/// Finds programs where Debian installs them, also the administrator's.
package enum Executable {
    package static func path(_ name: String) -> String? {
        var folders = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/bin", "/sbin"]
        if let path = getenv("PATH") {
            folders += String(cString: path).split(separator: ":").map(String.init)
        }
        return folders.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    /// Returns a Python that has a module, for instance `h2`.
    static func python(with module: String) -> String? {
        let folders = ["/usr/bin", "/usr/local/bin"]
        var candidates = folders.map { $0 + "/python3" }
        if let path = getenv("PATH") {
            candidates += String(cString: path).split(separator: ":").map { $0 + "/python3" }
        }
        let question = "import importlib.util as u; exit(u.find_spec('\(module)') is None)"
        return candidates.first { python in
            guard access(python, X_OK) == 0 else { return false }
            return (try? ChildProcess.run([python, "-c", question]).status) == 0
        }
    }
}
