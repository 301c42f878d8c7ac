import CurlTransport
package import Posix

/// Why a URL was not fetched, or why a run failed.
public struct BatchFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure. Later versions may add kinds.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// A short name of lower-case letters, digits and underscores, for counting.
        ///
        /// If a transfer failed below HTTP, this is the transport's name for the failure:
        /// `connect_refused`, `certificate_expired`.
        public let name: String

        /// Creates a code with this name.
        public init(_ name: String) { self.name = name }

        /// Converts a code of the transport to this type's form.
        init(_ code: TransportError.Code) {
            name = Self.underscored("\(code)")
        }

        /// Converts `invalidURL` to `invalid_url`.
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

        /// The line is not a URL that can be fetched.
        public static let invalidURL = Code("invalid_url")
        /// The line violates the format of the list.
        public static let invalidLine = Code("invalid_line")
        /// The line exceeds the maximum length.
        public static let lineTooLong = Code("line_too_long")
        /// The URL has too many redirects in a row.
        public static let tooManyRedirects = Code("too_many_redirects")
        /// The server answered with a status outside 200 … 299.
        public static let status = Code("status")
        /// The transfer failed below HTTP; ``BatchFailure/message`` says how.
        public static let transport = Code("transport")
        /// A timeout or deadline expired.
        public static let timeout = Code("timeout")
        /// The host has only addresses that ``BatchConfiguration/refusesPrivateAddresses`` refuses.
        public static let addressRefused = Code("address_refused")
        /// The body exceeds the configured maximum size.
        public static let bodyTooLarge = Code("body_too_large")
        /// The body has a wrong checksum, or an inspector rejected it.
        public static let verification = Code("verification")
        /// The server sent an unrequested part instead of the whole body.
        public static let unrequestedPart = Code("unrequested_part")
        /// Another URL's body or a protected file has the name.
        public static let nameCollision = Code("name_collision")
        /// A reused connection closed without a response. The request must not be repeated.
        public static let unanswered = Code("unanswered")
        /// A file with the body's name exists, and ``FileNaming/Existing/error`` is set.
        public static let existingFile = Code("existing_file")
        /// The body could not be written.
        public static let output = Code("output")
        /// The list could not be read.
        public static let input = Code("input")
        /// A value of the configuration is invalid.
        public static let configuration = Code("configuration")
        /// The host's `robots.txt` disallows the URL, or can't be fetched.
        public static let robots = Code("robots")
        /// The host's circuit breaker is open, because its requests only failed.
        public static let hostUnavailable = Code("host_unavailable")
        /// The processes of a fleet that fetched the URL ended, several times in a row.
        public static let workerEnded = Code("worker_ended")
        /// The run has received its maximum number of bytes.
        public static let totalReached = Code("total_reached")
        /// The run has lasted its maximum time.
        public static let timeReached = Code("time_reached")
        /// The journal belongs to another list or run, or is in use.
        public static let journal = Code("journal")
        /// The system provides no thread, file descriptor or memory.
        public static let resources = Code("resources")
        /// The run was cancelled while the URL was in flight.
        public static let cancelled = Code("cancelled")
    }

    /// The kind of the failure.
    public let code: Code
    /// What went wrong, where, and how to fix it. One line, without credentials.
    public let message: String
    /// The CURLcode, if libcurl reported the error. See
    /// <https://curl.se/libcurl/c/libcurl-errors.html>.
    public var curlCode: Int32?
    /// The `errno` of the system, if a system call failed.
    public var systemErrno: Int32?
    /// Whether no other body can be written, so the run ends.
    var endsRun = false
    /// Whether the partial file is unavailable. For instance, another run may be writing it.
    var isPartUnavailable = false

    /// Creates a failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    /// Creates a failure from a file system error.
    package init(_ code: Code, _ error: FileError) {
        self.init(code, "\(error)")
        systemErrno = error.errno
        endsRun = code == .output && error.isPersistent
    }

    /// Returns a copy with `remark` added to the message.
    func adding(_ remark: String) -> BatchFailure {
        var failure = BatchFailure(code, "\(message); \(remark)")
        failure.curlCode = curlCode
        failure.systemErrno = systemErrno
        failure.endsRun = endsRun
        failure.isPartUnavailable = isPartUnavailable
        return failure
    }

    /// Whether the failure leaves the URL uncompleted. Then it says nothing about the URL itself.
    var leavesUnresolved: Bool { endsRun || code == .cancelled }

    static func invalidURL(_ message: String) -> BatchFailure { BatchFailure(.invalidURL, message) }
}

extension BatchFailure {
    /// Creates the failure of a run that can't start: a wrong value is the caller's fault.
    init(startingWith error: TransportError) {
        let text = error.message
        // Messages of failures have no full stop at their end: callers make sentences of them.
        let message = text.hasSuffix(".") ? String(text.dropLast()) : text
        switch error.code {
        case .configuration, .unsupportedFeature: self.init(.configuration, message)
        default: self.init(.resources, message)
        }
    }
}
