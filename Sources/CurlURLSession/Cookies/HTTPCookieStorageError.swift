public import Foundation

/// Why a cookie storage can't use its file.
///
/// The description says what was wrong, where, and what to do.
public struct HTTPCookieStorageError: Error, Sendable, Hashable {
    /// The kind of a failure. More may be added in later versions.
    public struct Code: Sendable, Hashable {
        private enum Value: Sendable {
            case inaccessible
            case damaged
            case newerFormat
        }

        private let value: Value

        /// The file, or one beside it, can't be read or written. It is as it was.
        public static let inaccessible = Code(value: .inaccessible)

        /// The file isn't what a cookie storage has written. It has got another name, so that the next
        /// attempt begins with an empty one.
        public static let damaged = Code(value: .damaged)

        /// The file was written by a later version, whose format isn't known. It is as it was.
        public static let newerFormat = Code(value: .newerFormat)
    }

    /// The kind of failure.
    public let code: Code

    /// The storage's file.
    public let url: URL

    /// What was wrong: of a damaged file the line, else the system's reason.
    public let reason: String

    /// Where a damaged file is now; `nil` for other failures.
    public let movedTo: URL?

    init(_ code: Code, url: URL, reason: String, movedTo: URL? = nil) {
        self.code = code
        self.url = url
        self.reason = reason
        self.movedTo = movedTo
    }
}

extension HTTPCookieStorageError: CustomStringConvertible, LocalizedError {
    /// What was wrong, where, and what to do.
    public var description: String {
        switch code {
        case .damaged:
            let place = movedTo.map { ", and is now “\($0.path)”: look there for what is missing" }
            return "the cookies in “\(url.path)” can't be read: \(reason). "
                + "The file has been set aside\(place ?? "")"
        case .newerFormat:
            return "the cookies in “\(url.path)” were written by a later version (\(reason)): "
                + "use that one, or another file"
        default:
            return "the cookies in “\(url.path)” can't be kept: \(reason)"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
