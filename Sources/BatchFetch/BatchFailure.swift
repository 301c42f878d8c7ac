import Curl
import CurlTransport

/// Why a URL was not fetched.
public struct BatchFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is. More kinds may come.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// A short name of small letters, digits and underscores, made for counting. Where a transfer
        /// failed below HTTP it is the transport's name for that: `connect_refused`,
        /// `certificate_expired`.
        public let name: String

        /// Creates a code of that name.
        public init(_ name: String) { self.name = name }

        /// That of the transport, in the form of all others.
        init(_ code: TransportError.Code) {
            name = Self.underscored("\(code)")
        }

        /// `invalidURL` as `invalid_url`.
        private static func underscored(_ name: String) -> String {
            var text = ""
            var isCapital = true
            for character in name {
                if character.isUppercase, !isCapital { text.append("_") }
                isCapital = character.isUppercase
                text += character.lowercased()
            }
            return text
        }

        /// The name.
        public var description: String { name }

        /// The line is no URL that can be fetched.
        public static let invalidURL = Code("invalid_url")
        /// The line is not as the list's format wants it.
        public static let invalidLine = Code("invalid_line")
        /// The line is longer than allowed.
        public static let lineTooLong = Code("line_too_long")
        /// Redirects lead from one URL to the next without end.
        public static let tooManyRedirects = Code("too_many_redirects")
        /// The server answered with a status outside 200 … 299.
        public static let status = Code("status")
        /// The transfer failed below HTTP; ``BatchFailure/message`` says how.
        public static let transport = Code("transport")
        /// A time limit passed.
        public static let timeout = Code("timeout")
        /// The body is larger than the configured maximum.
        public static let bodyTooLarge = Code("body_too_large")
        /// The body is not the one that was expected.
        public static let verification = Code("verification")
        /// The server sent a part of the body though all of it was asked for.
        public static let unrequestedPart = Code("unrequested_part")
        /// Another URL's body has the name that this one's would have.
        public static let nameCollision = Code("name_collision")
        /// A connection that had served before ended without an answer, and the request is not one that
        /// may be sent twice.
        public static let unanswered = Code("unanswered")
        /// A file has the name that the body would have, and files that exist are an error
        /// (``FileNaming/Existing/error``).
        public static let existingFile = Code("existing_file")
        /// The body could not be written.
        public static let output = Code("output")
        /// The list could not be read.
        public static let input = Code("input")
        /// A value of the configuration makes no sense.
        public static let configuration = Code("configuration")
        /// The host's `robots.txt` disallows it, or can't be had.
        public static let robots = Code("robots")
        /// The host has only failed, and is left alone for now.
        public static let hostUnavailable = Code("host_unavailable")
        /// The run has received all the bytes that it may.
        public static let totalReached = Code("total_reached")
        /// The journal belongs to something else, or is in use.
        public static let journal = Code("journal")
        /// The system gives no thread or descriptor.
        public static let resources = Code("resources")
        /// The run was cancelled while this URL was being fetched.
        public static let cancelled = Code("cancelled")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What was wrong, where, and what to do; one line, without credentials.
    public let message: String
    /// libcurl's number for it, where libcurl had a part in it.
    /// See <https://curl.se/libcurl/c/libcurl-errors.html>.
    public var curlCode: Int32?
    /// The system's `errno`, where the system said no.
    public var systemErrno: Int32?
    /// Whether nothing else could be written either, so that the run ends with it.
    var endsRun = false
    /// Whether the file for a part of the body can't be had, as where another run writes it.
    var isPartUnavailable = false

    /// Creates a failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    /// What the file system said no to.
    init(_ code: Code, _ error: FileError) {
        self.init(code, "\(error)")
        systemErrno = error.errno
        endsRun = code == .output && error.isLasting
    }

    /// The same with more to say about it.
    func adding(_ remark: String) -> BatchFailure {
        var failure = BatchFailure(code, "\(message); \(remark)")
        failure.curlCode = curlCode
        failure.systemErrno = systemErrno
        failure.endsRun = endsRun
        failure.isPartUnavailable = isPartUnavailable
        return failure
    }

    /// Whether the URL isn't done with: its failure says nothing about it.
    var leavesUndone: Bool { endsRun || code == .cancelled }

    static func invalidURL(_ message: String) -> BatchFailure { BatchFailure(.invalidURL, message) }
}
