internal import Foundation

/// The domain of errors about requests that can't be made: AFNetworking's
/// `AFURLRequestSerializationErrorDomain`.
///
/// The codes are those of `URLError.Code`: `badURL` (-1000) for a URL that is none, or that isn't a
/// file's where one is needed; `cannotDecodeContentData` (-1016) for parameters that can't be encoded;
/// `requestBodyStreamExhausted` (-1021) for a multipart body whose parts aren't as long as they were
/// said to be, or can't be read once more.
public let URLRequestSerializationErrorDomain = "com.alamofire.error.serialization.request"

/// Makes the errors of ``URLRequestSerializationErrorDomain``.
enum URLRequestSerializationError {
    /// - Parameter reason: A sentence that says what is wrong.
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

    /// Parameters that can't be encoded as they should be.
    static func invalidParameters(_ reason: String) -> NSError {
        make(.cannotDecodeContentData, reason)
    }

    /// Text that is no URL.
    static func invalidURL(_ text: String) -> NSError {
        make(
            .badURL,
            "The text “\(text)” is no URL that a request can be made for.",
            ["NSErrorFailingURLStringKey": text]
        )
    }

    /// A file that can't be a part's body.
    static func file(_ url: URL, _ reason: String) -> NSError {
        make(.badURL, reason, [NSURLErrorFailingURLErrorKey: url])
    }

    /// A part of a multipart body that isn't what it was when it was appended.
    static func part(_ reason: String) -> NSError {
        make(.requestBodyStreamExhausted, reason)
    }
}
