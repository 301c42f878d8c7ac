internal import LoadSupport

/// This program, and those that lie beside it.
public enum Program {
    /// Becomes the program of that name in this one's folder, with the same arguments; where there is
    /// none, the process ends with a message.
    public static func become(_ name: String) -> Never {
        load_become(name, CommandLine.unsafeArgv)
    }
}
