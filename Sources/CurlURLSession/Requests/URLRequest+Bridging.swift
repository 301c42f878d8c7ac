public import Foundation

extension URLRequest {
    /// Creates a request with an object's current properties. The same as `object as URLRequest`.
    public init(_ object: NSURLRequest) {
        state = object.state
    }
}

extension NSURLRequest {
    /// Creates an object with a request's properties. The same as `request as NSURLRequest`.
    public convenience init(_ request: URLRequest) {
        self.init(state: request.state)
    }
}

// `as`, `as?` and `is` use this conformance on every platform. On Linux, `ReferenceConvertible`
// doesn't imply it.
extension URLRequest: _ObjectiveCBridgeable {}

extension URLRequest: ReferenceConvertible {
    /// The class that a request is bridged to.
    public typealias ReferenceType = NSURLRequest

    /// The class that a request is bridged to.
    public static func _getObjectiveCType() -> Any.Type {
        NSURLRequest.self
    }

    /// Returns an object with the same properties. It shares no state with this value.
    @_semantics("convertToObjectiveC")
    public func _bridgeToObjectiveC() -> NSURLRequest {
        NSURLRequest(self)
    }

    /// Converts an object with its current properties.
    public static func _forceBridgeFromObjectiveC(
        _ source: NSURLRequest,
        result: inout URLRequest?
    ) {
        result = URLRequest(source)
    }

    /// Converts an object with its current properties. Always succeeds.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSURLRequest,
        result: inout URLRequest?
    ) -> Bool {
        result = URLRequest(source)
        return true
    }

    /// Converts an object with its current properties. Without an object, returns a request without
    /// a URL.
    public static func _unconditionallyBridgeFromObjectiveC(
        _ source: NSURLRequest?
    ) -> URLRequest {
        let none = RequestState(
            url: nil,
            cachePolicy: .useProtocolCachePolicy,
            timeoutInterval: RequestTimeout.standard
        )
        return URLRequest(state: source?.state ?? none)
    }
}

extension NSURLRequest: _StructTypeBridgeable {
    /// The value type that a request object is bridged to.
    public typealias _StructType = URLRequest

    /// Returns a value with the object's current properties.
    public func _bridgeToSwift() -> URLRequest {
        URLRequest(self)
    }
}
