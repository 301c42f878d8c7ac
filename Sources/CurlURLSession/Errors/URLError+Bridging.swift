public import Foundation

// On Apple's systems every error can be cast to `NSError`, and an `NSError` to the error type of its
// domain. On Linux the casts `as?`, `is` and `catch … as` look for this conformance. Foundation
// declares it for `CocoaError`, and not for `URLError`.
extension URLError: @retroactive _ObjectiveCBridgeable {
    /// Returns the `NSError` that the error consists of.
    public func _bridgeToObjectiveC() -> NSError {
        _nsError
    }

    /// Converts an `NSError` of `NSURLErrorDomain`. Another domain ends the process, as `as!` does.
    public static func _forceBridgeFromObjectiveC(
        _ source: NSError,
        result: inout URLError?
    ) {
        result = URLError(_nsError: source)
    }

    /// Converts an `NSError` of `NSURLErrorDomain` that has one of the codes of `URLError.Code`.
    ///
    /// - Returns: `false` for other errors. Reading the code of a `URLError` with an unknown code
    ///   would end the process.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError,
        result: inout URLError?
    ) -> Bool {
        guard source.domain == NSURLErrorDomain, URLError.Code(rawValue: source.code) != nil else {
            return false
        }
        result = URLError(_nsError: source)
        return true
    }

    /// Converts an `NSError` of `NSURLErrorDomain`. Without an error, the code is `unknown`.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> URLError {
        source.map { URLError(_nsError: $0) } ?? URLError(.unknown)
    }
}
