public import Foundation

extension URLRequest {
    /// Creates a request with an object's properties as they are now: the same as
    /// `object as URLRequest`.
    public init(_ object: NSURLRequest) {
        state = object.state
    }
}

extension NSURLRequest {
    /// Creates an object with a request's properties: the same as `request as NSURLRequest`.
    public convenience init(_ request: URLRequest) {
        self.init(state: request.state)
    }
}

// What `as`, `as?` and `is` go by on every platform. `ReferenceConvertible` doesn't imply it on Linux.
extension URLRequest: _ObjectiveCBridgeable {}

extension URLRequest: ReferenceConvertible {
    /// The class that a request is bridged to.
    public typealias ReferenceType = NSURLRequest

    /// The class that a request is bridged to.
    public static func _getObjectiveCType() -> Any.Type {
        NSURLRequest.self
    }

    /// An object with the same properties, which shares nothing with this value.
    @_semantics("convertToObjectiveC")
    public func _bridgeToObjectiveC() -> NSURLRequest {
        NSURLRequest(self)
    }

    /// The object's properties as they are now.
    public static func _forceBridgeFromObjectiveC(
        _ source: NSURLRequest,
        result: inout URLRequest?
    ) {
        result = URLRequest(source)
    }

    /// The object's properties as they are now. Always succeeds.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSURLRequest,
        result: inout URLRequest?
    ) -> Bool {
        result = URLRequest(source)
        return true
    }

    /// The object's properties as they are now. Without an object, a request without a URL.
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
    /// The value that a request object is bridged to.
    public typealias _StructType = URLRequest

    /// The object's properties as they are now.
    public func _bridgeToSwift() -> URLRequest {
        URLRequest(self)
    }
}
