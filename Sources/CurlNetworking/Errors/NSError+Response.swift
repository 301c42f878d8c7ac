internal import CurlURLSession
internal import Foundation

extension NSError {
    /// A response has a media type that isn't acceptable.
    ///
    /// The description is AFNetworking's. Why it failed is told in more words: what would have been
    /// acceptable, and how the body begins, which often is a page that explains itself.
    static func unacceptableContentType(
        _ response: HTTPURLResponse,
        acceptable: Set<String>,
        data: Data?
    ) -> NSError {
        let type = response.mimeType ?? "(null)"
        var reason = "The server sent \(response.mimeType.map { "“\($0)”" } ?? "no media type")"
        reason += ", and acceptable is \(acceptable.sorted().joined(separator: ", "))"
        if let excerpt = BodyExcerpt(data)?.text { reason += "; the body begins: \(excerpt)" }
        return failure(
            .cannotDecodeContentData,
            "Request failed: unacceptable content-type: \(type)",
            reason: reason,
            response,
            data
        )
    }

    /// A response has a status that isn't acceptable.
    static func unacceptableStatus(_ response: HTTPURLResponse, data: Data?) -> NSError {
        let code = response.statusCode
        let phrase = HTTPURLResponse.localizedString(forStatusCode: code)
        var reason = "The server answered \(code) (\(phrase))"
        if let excerpt = BodyExcerpt(data)?.text { reason += "; the body begins: \(excerpt)" }
        return failure(
            .badServerResponse,
            "Request failed: \(phrase) (\(code))",
            reason: reason,
            response,
            data
        )
    }

    /// A response has no body where one is needed.
    static func missingBody(_ response: HTTPURLResponse?) -> NSError {
        let status = response.map { " with the status \($0.statusCode)" } ?? ""
        return failure(
            .zeroByteResource,
            "Request failed: the response has no body",
            reason: "The server sent a response without a body\(status), where one is needed",
            response,
            nil
        )
    }

    /// A body isn't the text that it should be.
    static func undecodableText(
        _ response: HTTPURLResponse?,
        encoding: String,
        data: Data
    ) -> NSError {
        failure(
            .cannotDecodeRawData,
            "Request failed: the body isn't text in \(encoding)",
            reason: "The body of \(data.count) bytes can't be decoded as \(encoding)",
            response,
            data
        )
    }

    private static func failure(
        _ code: URLError.Code,
        _ description: String,
        reason: String,
        _ response: HTTPURLResponse?,
        _ data: Data?
    ) -> NSError {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: description,
            NSLocalizedFailureReasonErrorKey: reason,
        ]
        info[NSURLErrorFailingURLErrorKey] = response?.url?.withoutUserInfo
        info[NetworkingOperationFailingURLResponseErrorKey] = response
        info[NetworkingOperationFailingURLResponseDataErrorKey] = data
        return NSError(
            domain: URLResponseSerializationErrorDomain,
            code: code.rawValue,
            userInfo: info
        )
    }
}
