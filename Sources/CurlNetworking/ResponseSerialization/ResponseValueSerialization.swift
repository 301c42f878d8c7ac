public import CurlURLSession
public import Foundation

/// Makes a value of one type of a response, or throws.
///
/// It is for those who know what they want: ``DataResponse`` and the asynchronous methods. Where a
/// manager asks, it does what every serializer does.
public protocol ResponseValueSerialization<Value>: URLResponseSerialization {
    /// What is made of a body.
    associatedtype Value: Sendable

    /// The value that a response's body stands for.
    ///
    /// - Parameters:
    ///   - request: What was asked, for the rules about empty bodies.
    ///   - response: The response; `nil` where there was none, which isn't checked then.
    ///   - data: The body.
    /// - Throws: What is wrong with the response, else with its body.
    func value(
        for request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?
    ) throws -> Value
}
