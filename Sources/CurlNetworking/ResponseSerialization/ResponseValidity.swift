internal import CurlURLSession
internal import Foundation

/// The result of checking a response.
public enum ResponseValidity: Sendable {
    /// The response is acceptable.
    case valid

    /// The response isn't acceptable.
    ///
    /// There is no error if the media type isn't acceptable but the body is empty or the response
    /// has no URL. AFNetworking's serializers also treat this as invalid.
    case invalid((any Error)?)

    /// Whether the response is acceptable.
    public var isValid: Bool { if case .valid = self { true } else { false } }

    /// The error, if the response is invalid and the check reports one.
    public var error: (any Error)? { if case .invalid(let error) = self { error } else { nil } }
}

extension ResponseAcceptance {
    /// Checks the media type and the status of a response.
    ///
    /// If both aren't acceptable, the error is about the status, with the error of the media type
    /// as its cause.
    func validity(of response: HTTPURLResponse, data: Data?) -> ResponseValidity {
        var isValid = true
        var error: (any Error)?
        let isEmpty = data?.isEmpty ?? true
        if let contentTypes, !accepts(contentType: response.mimeType),
            // A response without a body needs no media type.
            response.mimeType != nil || !isEmpty
        {
            isValid = false
            if !isEmpty, response.url != nil {
                error = NSError.unacceptableContentType(
                    response,
                    acceptable: contentTypes,
                    data: data
                )
            }
        }
        if !accepts(statusCode: response.statusCode), response.url != nil {
            isValid = false
            error = error.caused(NSError.unacceptableStatus(response, data: data))
        }
        return isValid ? .valid : .invalid(error)
    }
}
