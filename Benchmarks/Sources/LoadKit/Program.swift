internal import LoadSupport

/// This program, and the others in its folder.
public enum Program {
    /// Replaces this process with the program of that name in this one's folder, with the same
    /// arguments. If it doesn't exist, the process ends with a message.
    public static func become(_ name: String) -> Never {
        load_become(name, CommandLine.unsafeArgv)
    }
}
