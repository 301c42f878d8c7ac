internal import Foundation

/// The domain of errors about requests that can't be created.
///
/// It is AFNetworking's `AFURLRequestSerializationErrorDomain`. The codes are those of
/// `URLError.Code`: `badURL` (-1000) for an invalid URL, or one that isn't a file URL where one is
/// required; `cannotDecodeContentData` (-1016) for parameters that can't be encoded;
/// `requestBodyStreamExhausted` (-1021) for a multipart body with a part of another length than
/// announced, or with a part that can't be read a second time.
public let URLRequestSerializationErrorDomain = "com.alamofire.error.serialization.request"

/// Creates the errors of ``URLRequestSerializationErrorDomain``.
enum URLRequestSerializationError {
    /// - Parameter reason: A sentence that describes the failure.
    static func make(
        _ code: URLError.Code,
        _ reason: String,
        _ info: [String: Any] = [:]
    ) -> NSError {
        var info = info
        info[NSLocalizedFailureReasonErrorKey] = reason
        return NSError(
            domain: URLRequestSerializationErrorDomain,
            code: code.rawValue,
            userInfo: info
        )
    }

    /// Parameters that can't be encoded.
    static func invalidParameters(_ reason: String) -> NSError {
        make(.cannotDecodeContentData, reason)
    }

    /// Text that isn't a URL.
    static func invalidURL(_ text: String) -> NSError {
        make(
            .badURL,
            "The text “\(text)” isn't a valid request URL.",
            ["NSErrorFailingURLStringKey": text]
        )
    }

    /// A file that can't be the body of a part.
    static func file(_ url: URL, _ reason: String) -> NSError {
        make(.badURL, reason, [NSURLErrorFailingURLErrorKey: url])
    }

    /// A part that has changed since it was appended to the form.
    static func part(_ reason: String) -> NSError {
        make(.requestBodyStreamExhausted, reason)
    }
}
