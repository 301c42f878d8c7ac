public import CurlURLSession
public import Foundation

/// Serializes a response to a value of one type, or throws.
///
/// ``DataResponse`` and the asynchronous methods use it when the type of the value is known. A
/// manager calls the methods of ``URLResponseSerialization`` instead, as with any serializer.
public protocol ResponseValueSerialization<Value>: URLResponseSerialization {
    /// The type of the values.
    associatedtype Value: Sendable

    /// Returns the value of a response's body.
    ///
    /// - Parameters:
    ///   - request: The request, for the rules about empty bodies.
    ///   - response: The response. `nil`, if there was none, isn't checked.
    ///   - data: The body.
    /// - Throws: The error of the response, otherwise that of its body.
    func value(
        for request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?
    ) throws -> Value
}

extension ResponseValueSerialization where Self: ValueResponseSerializer {
    /// Returns the value for a manager.
    ///
    /// The value of an unacceptable response is decoded if possible. An error of decoding is then
    /// ignored, because the response's own error is more useful.
    func object(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?,
        _ make: (HTTPURLResponse?, Data?) throws -> Value
    ) -> (any Sendable)? {
        guard admits(response, data: data, error: &error) else { return nil }
        do {
            return try make(response as? HTTPURLResponse, data)
        } catch let failure {
            if error == nil { error = failure }
            return nil
        }
    }

    /// Throws the error of a response that isn't acceptable.
    func requireValid(_ response: HTTPURLResponse?, data: Data?) throws {
        if let error = validateResponse(response, data: data).error { throw error }
    }
}
