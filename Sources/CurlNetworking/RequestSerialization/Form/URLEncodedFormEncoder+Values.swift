public import Foundation

extension URLEncodedFormEncoder {
    /// How data is written.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum DataEncoding: Sendable {
        /// In Base64 (RFC 4648, 4).
        case base64
        /// As `Data` encodes itself: an array of numbers.
        case deferredToData
        /// As a closure returns it.
        ///
        /// It is called on the thread that creates the request.
        case custom(@Sendable (Data) throws -> String)

        func text(_ data: Data) throws -> String? {
            switch self {
            case .base64: data.base64EncodedString()
            case .deferredToData: nil
            case .custom(let text): try text(data)
            }
        }
    }

    /// How dates are written.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum DateEncoding: Sendable {
        /// As `Date` encodes itself: seconds since 2001.
        case deferredToDate
        /// Seconds since 1970.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
        /// `2001-01-01T00:00:00Z` (RFC 3339).
        case iso8601
        /// As written by a formatter.
        case formatted(DateFormatter)
        /// As a closure returns it.
        ///
        /// It is called on the thread that creates the request.
        case custom(@Sendable (Date) throws -> String)

        func text(_ date: Date) throws -> String? {
            switch self {
            case .deferredToDate: nil
            case .secondsSince1970: ParameterValue.text(of: date.timeIntervalSince1970)
            case .millisecondsSince1970: ParameterValue.text(of: date.timeIntervalSince1970 * 1000)
            case .iso8601: date.formatted(.iso8601)
            case .formatted(let formatter): formatter.string(from: date)
            case .custom(let text): try text(date)
            }
        }
    }

    /// What is written for `nil`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum NilEncoding: Sendable {
        /// Nothing. The default.
        case dropKey
        /// The key without a value: `key=`.
        case dropValue
        /// `key=null`.
        case null
        /// As a closure returns it; `nil` for nothing.
        case custom(@Sendable () -> String?)

        var text: String? {
            switch self {
            case .dropKey: nil
            case .dropValue: ""
            case .null: "null"
            case .custom(let text): text()
            }
        }
    }

    /// How spaces are written.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum SpaceEncoding: Sendable {
        /// `%20`. The default.
        case percentEscaped
        /// `+`, as browsers do in forms.
        case plusReplaced
    }
}
