public import CurlURLSession
public import Foundation

/// Checks a response and converts its body to an object.
///
/// It is AFNetworking's `AFURLResponseSerialization`. A manager calls it on its processing queue,
/// for several responses at once.
public protocol URLResponseSerialization: Sendable {
    /// Returns the object of a response's body.
    ///
    /// Object and error don't exclude each other: the body of a response with an unacceptable
    /// status is decoded if possible, because it may contain the server's explanation.
    ///
    /// - Parameters:
    ///   - response: The response, or `nil` if there was none.
    ///   - data: The body, or `nil` if there was none.
    ///   - error: Set to the error of the response or its body; otherwise unchanged.
    /// - Returns: The object, or `nil` if there is none or it can't be decoded.
    func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)?
}

// AFNetworking's HTTP manager has serializers of one base class only. These properties of that class
// need no cast here either. They aren't in the documentation, where all serializers would have them
// twice.

extension URLResponseSerialization {
    /// The acceptable media types of an ``HTTPResponseSerializer``; `nil` for all.
    ///
    /// They can be set at a manager, `manager.responseSerializer.acceptableContentTypes = […]`. A
    /// serializer of another class has none: the value is `nil`, and setting it has no effect and is
    /// logged.
    @_documentation(visibility: private)
    public var acceptableContentTypes: Set<String>? {
        get { (self as? HTTPResponseSerializer)?.acceptableContentTypes }
        nonmutating set { changeAcceptance { $0.acceptableContentTypes = newValue } }
    }

    /// The acceptable status codes of an ``HTTPResponseSerializer``; `nil` for all.
    ///
    /// See `acceptableContentTypes`.
    @_documentation(visibility: private)
    public var acceptableStatusCodes: IndexSet? {
        get { (self as? HTTPResponseSerializer)?.acceptableStatusCodes }
        nonmutating set { changeAcceptance { $0.acceptableStatusCodes = newValue } }
    }

    private func changeAcceptance(_ change: (HTTPResponseSerializer) -> Void) {
        guard let serializer = self as? HTTPResponseSerializer else {
            NSLog("%@", "\(type(of: self)) has no acceptable media types or status codes.")
            return
        }
        change(serializer)
    }
}

/// Checks a download's response before its file is read.
///
/// It uses the rules of another serializer.
struct ResponseHeadSerializer: URLResponseSerialization {
    let other: any URLResponseSerialization

    func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        if let refusal = other.refusal(of: response) { error = refusal }
        return nil
    }
}

extension URLResponseSerialization {
    /// The error of a download's response whose status isn't acceptable; otherwise `nil`.
    ///
    /// It is also `nil` if only the serializer itself can decide.
    func refusal(of response: URLResponse?) -> (any Error)? {
        if let head = self as? ResponseHeadSerializer { return head.other.refusal(of: response) }
        guard let response = response as? HTTPURLResponse,
            let serializer = self as? HTTPResponseSerializer
        else { return nil }
        if let compound = serializer as? CompoundResponseSerializer {
            // One serializer that accepts the status is enough.
            for case let one as HTTPResponseSerializer in compound.responseSerializers
            where one.refusal(of: response) == nil {
                return nil
            }
        }
        // For downloads, serializers receive an empty body.
        guard !serializer.acceptance.accepts(statusCode: response.statusCode),
            case .invalid(let error) = serializer.validateResponse(response, data: Data())
        else { return nil }
        return error
    }
}
