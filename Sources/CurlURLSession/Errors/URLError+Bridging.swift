public import Foundation

// On Apple's systems every error can be cast to `NSError`, and an `NSError` to the error type of its
// domain. On Linux the casts `as?`, `is` and `catch … as` look for this conformance. Foundation
// declares it for `CocoaError`, and not for `URLError`.
extension URLError: @retroactive _ObjectiveCBridgeable {
    /// Returns the `NSError` that the error consists of.
    public func _bridgeToObjectiveC() -> NSError {
        _nsError
    }

    /// Converts an `NSError`, for `as!`. One that isn't a `URLError` becomes one of the code
    /// `unknown`, with the given error as its cause.
    public static func _forceBridgeFromObjectiveC(
        _ source: NSError,
        result: inout URLError?
    ) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }

    /// Converts an `NSError` of `NSURLErrorDomain` that has one of the codes of `URLError.Code`.
    ///
    /// - Returns: `false` for other errors. Foundation's `URLError` traps for another domain, and
    ///   when an unknown code is read.
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

    /// Converts an `NSError`. One that isn't a `URLError` becomes one of the code `unknown`, with the
    /// given error as its cause.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> URLError {
        guard let source else { return URLError(.unknown) }
        var result: URLError?
        _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
        return result ?? URLError(.unknown, userInfo: [NSUnderlyingErrorKey: source])
    }
}
