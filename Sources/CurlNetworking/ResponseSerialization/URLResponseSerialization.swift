public import CurlURLSession
public import Foundation

/// Checks a response and turns its body into an object.
///
/// AFNetworking's `AFURLResponseSerialization`. A manager calls it on its processing queue, for
/// several responses at once.
public protocol URLResponseSerialization: Sendable {
    /// The object that a response's body stands for.
    ///
    /// Object and error don't exclude each other: a body of a response with an unacceptable status
    /// is still decoded where it can be, so that a server's own words about a failure aren't lost.
    ///
    /// - Parameters:
    ///   - response: The response, or `nil` where there was none.
    ///   - data: The body, or `nil` where there was none.
    ///   - error: Is set to what is wrong with the response or its body; left alone otherwise.
    /// - Returns: The object, or `nil` if there is none or it can't be decoded.
    func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)?
}
