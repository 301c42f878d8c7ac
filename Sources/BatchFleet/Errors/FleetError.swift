#if !Fleet
    #error("BatchFleet needs the package trait Fleet")
#endif

/// Why the coordination of a fleet over PostgreSQL failed.
///
/// The message never contains a password: it has no connection string and no parameter of a
/// statement.
package struct FleetError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure.
    package enum Code: Sendable, Hashable {
        /// The connection string can't be parsed.
        case invalidAddress
        /// The database can't be reached now.
        case unreachable
        /// The connection ended before the answer. The statements may have been executed.
        case connectionLost
        /// The server refused the user, the password, the database or a right.
        case refused
        /// The server refused a statement.
        case statement
        /// The tables are missing, or those of a newer version.
        case schema
        /// Another worker has a host of this one, whose lease had ended.
        case leaseLost
        /// There is no run of the name, or one too many.
        case run
        /// The system has no memory, descriptor or thread.
        case resources
        /// The connection was closed by this program.
        case closed
    }

    /// The kind of the failure.
    package let code: Code
    /// What failed and why, in words.
    package let message: String
    /// PostgreSQL's five-character code; `nil` if the server didn't report the failure.
    ///
    /// See <https://www.postgresql.org/docs/15/errcodes-appendix.html>.
    package let sqlState: String?

    package init(_ code: Code, _ message: String, sqlState: String? = nil) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
    }

    /// An error that the server reported for a statement.
    init(sqlState: String, message: String) {
        self.init(
            Self.code(of: sqlState),
            "PostgreSQL reports: \(Self.lines(message).joined(separator: "; ")) (\(sqlState))",
            sqlState: sqlState
        )
    }

    /// A connection that couldn't be made.
    ///
    /// - Parameters:
    ///   - text: libpq's text, which contains the server's code if the server refused it.
    ///   - needsPassword: Whether the server asked for a password and none was given.
    init(connecting text: String, needsPassword: Bool) {
        let state = Self.sqlState(in: text)
        let isRefusal = ["28", "3D", "42"].contains(state.map { String($0.prefix(2)) } ?? "")
        self.init(
            needsPassword || isRefusal ? .refused : .unreachable,
            "can't connect to PostgreSQL: \(Self.line(text))",
            sqlState: state
        )
    }

    /// A connection that ended before the answer.
    init(losing text: String) {
        self.init(.connectionLost, "the connection to PostgreSQL was lost: \(Self.line(text))")
    }

    /// libpq's text in one line, without the place in PostgreSQL's sources.
    private static func line(_ text: String) -> String {
        let lines = lines(text).filter {
            // Translated in other languages, but it always names a file of C.
            !$0.contains(".c:")
        }
        return lines.isEmpty ? "no reason is known" : lines.joined(separator: "; ")
    }

    /// The lines that aren't empty, without the tabs with which libpq indents them.
    private static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: { $0.isNewline }).map { line in
            let parts = line.split(separator: "\t").map { part in
                var part = part.drop { $0.isWhitespace }
                while part.last?.isWhitespace == true { part.removeLast() }
                return part
            }
            return parts.filter { !$0.isEmpty }.joined(separator: " ")
        }
        .filter { !$0.isEmpty }
    }

    /// The last five-character code in libpq's text: `FATAL:  28P01: password …`.
    private static func sqlState(in text: String) -> String? {
        text.matches(of: #/:  ([0-9A-Z]{5}): /#).last.map { String($0.1) }
    }

    /// The kind of an error by its class, the first two characters of the code.
    private static func code(of sqlState: String) -> Code {
        // Rights to a table or a schema.
        if sqlState == "42501" { return .refused }
        // Another server is the primary now, or this one has ended a transaction that took too long.
        if ["25006", "25P03"].contains(sqlState) { return .connectionLost }
        switch sqlState.prefix(2) {
        // The server is stopping or starting, or an administrator ended the connection. The
        // statements of the same transaction had no effect, but that of an earlier one is unknown.
        case "08": return .connectionLost
        case "57": return sqlState.hasPrefix("57P") ? .connectionLost : .statement
        case "28": return .refused
        default: return .statement
        }
    }

    /// Whether the same call may succeed later without a change by the user.
    ///
    /// True for a lost connection and for conflicts with other transactions, also for a server
    /// without disk space or connections (class 53), which an administrator repairs while workers
    /// wait, and for a cancelled statement (57014), perhaps by the server's limit of time.
    package var isTemporary: Bool {
        if [.unreachable, .connectionLost].contains(code) { return true }
        guard let sqlState else { return false }
        return sqlState == "57014"
            || ["40", "53", "55", "58"].contains(String(sqlState.prefix(2)))
    }

    /// The message.
    package var description: String { message }
}
