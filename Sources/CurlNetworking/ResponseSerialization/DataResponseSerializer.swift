public import CurlURLSession
public import Foundation

// `@unchecked Sendable`: it has no stored properties except those of its superclass.
/// Returns bodies unchanged.
///
/// An empty body is an error unless it is allowed.
open class DataResponseSerializer: ValueResponseSerializer, @unchecked Sendable {
    /// The body; empty if that is allowed.
    open func value(
        for request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?
    ) throws -> Data {
        try requireValid(response, data: data)
        return try make(request, response, data)
    }

    /// Returns the body as `Data`; `nil` with an error.
    open override func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        object(for: response, data: data, error: &error) { try make(nil, $0, $1) }
    }

    private func make(
        _ request: URLRequest?,
        _ response: HTTPURLResponse?,
        _ data: Data?
    ) throws -> Data {
        try body(of: response, to: request, data: data) ?? Data()
    }
}

extension DataResponseSerializer: ResponseValueSerialization {}
