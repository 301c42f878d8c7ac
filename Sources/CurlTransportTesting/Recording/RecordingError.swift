/// Why a recording can't be written or read.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public let path: String

    /// The line, counted from 1; nil if no line is to blame.
    public let line: Int?

    /// What is wrong, and what to do about it, in English.
    public let message: String

    /// Creates an error.
    public init(path: String, line: Int? = nil, message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

    /// Path, line and message.
    public var description: String {
        "\(path)\(line.map { ":\($0)" } ?? ""): \(message)"
    }
}
