public import Foundation

/// Why a cookie storage can't use its file.
///
/// The description says what is wrong, where, and what to do.
public struct HTTPCookieStorageError: Error, Sendable, Hashable {
    /// The kind of a failure. Later versions may add more.
    public struct Code: Sendable, Hashable {
        private enum Value: Sendable {
            case inaccessible
            case damaged
            case newerFormat
        }

        private let value: Value

        /// The file or its lock file can't be read or written. It is unchanged.
        public static let inaccessible = Code(value: .inaccessible)

        /// The file isn't a cookie file or is damaged. It was renamed, so that the next attempt
        /// starts with an empty one.
        public static let damaged = Code(value: .damaged)

        /// A later version wrote the file, in an unknown format. It is unchanged.
        public static let newerFormat = Code(value: .newerFormat)
    }

    /// The kind of failure.
    public let code: Code

    /// The storage's file.
    public let url: URL

    /// What is wrong: a damaged file's line, otherwise the system's reason.
    public let reason: String

    /// The new location of a damaged file; `nil` for other failures.
    public let movedTo: URL?

    init(_ code: Code, url: URL, reason: String, movedTo: URL? = nil) {
        self.code = code
        self.url = url
        self.reason = reason
        self.movedTo = movedTo
    }
}

extension HTTPCookieStorageError: CustomStringConvertible, LocalizedError {
    /// What is wrong, where, and what to do.
    public var description: String {
        switch code {
        case .damaged:
            let place = movedTo.map { ", and is now “\($0.path)”: look there for missing cookies" }
            return "the cookies in “\(url.path)” can't be read: \(reason). "
                + "The file has been set aside\(place ?? "")"
        case .newerFormat:
            return "the cookies in “\(url.path)” were written by a later version (\(reason)): "
                + "use that version, or another file"
        default:
            return "the cookies in “\(url.path)” can't be stored: \(reason)"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
