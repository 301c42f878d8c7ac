internal import CurlURLSession
internal import Foundation

extension ResponseAcceptance {
    /// Checks a response: first its media type, then its status, and in any case both.
    ///
    /// Where both are wrong, the error is about the status, and the one about the type is its cause.
    func validity(of response: HTTPURLResponse, data: Data?) -> ResponseValidity {
        var isValid = true
        var error: (any Error)?
        let isEmpty = data?.isEmpty ?? true
        if let contentTypes, !accepts(contentType: response.mimeType),
            // What has no body needs no type.
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
