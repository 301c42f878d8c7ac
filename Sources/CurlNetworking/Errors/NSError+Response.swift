internal import CurlURLSession
internal import Foundation

/// The domain of errors that response serializers create.
///
/// Its codes are those of `URLError.Code`: `cannotDecodeContentData` (-1016) for an unacceptable
/// media type, `badServerResponse` (-1011) for an unacceptable status, `zeroByteResource` (-1014)
/// for a missing body, `cannotDecodeRawData` (-1015) for a body that can't be decoded as text.
public let URLResponseSerializationErrorDomain: String =
    "com.alamofire.error.serialization.response"

/// The `userInfo` key of the `URLRequest` that failed, if it is known.
public let NetworkingOperationFailingURLRequestErrorKey: String =
    "com.alamofire.serialization.request.error.response"

/// The key in an error's `userInfo` of the `HTTPURLResponse` that was rejected.
public let NetworkingOperationFailingURLResponseErrorKey: String =
    "com.alamofire.serialization.response.error.response"

/// The `userInfo` key of the rejected response's body, a `Data`.
///
/// The body often contains the server's explanation.
public let NetworkingOperationFailingURLResponseDataErrorKey: String =
    "com.alamofire.serialization.response.error.data"

extension NSError {
    /// An error for a response whose media type isn't acceptable.
    ///
    /// The description is AFNetworking's. The failure reason adds the acceptable types and the
    /// beginning of the body, which often is a page that explains the failure.
    static func unacceptableContentType(
        _ response: HTTPURLResponse,
        acceptable: Set<String>,
        data: Data?
    ) -> NSError {
        let type = response.mimeType ?? "(null)"
        var reason = "The server sent \(response.mimeType.map { "“\($0)”" } ?? "no media type")"
        reason += ", but acceptable is \(acceptable.sorted().joined(separator: ", "))"
        if let excerpt = BodyExcerpt(data)?.text { reason += "; the body begins: \(excerpt)" }
        return failure(
            .cannotDecodeContentData,
            "Request failed: unacceptable content-type: \(type)",
            reason: reason,
            response,
            data
        )
    }

    /// An error for a response whose status isn't acceptable.
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

    /// An error for a response without a body where one is required.
    static func missingBody(_ response: HTTPURLResponse?) -> NSError {
        let status = response.map { " with the status \($0.statusCode)" } ?? ""
        return failure(
            .zeroByteResource,
            "Request failed: the response has no body",
            reason: "The server sent a response without a body\(status), but one is required",
            response,
            nil
        )
    }

    /// An error for a body that can't be decoded as text.
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

/// The beginning of a body as one line for an error message.
private struct BodyExcerpt {
    let text: String

    /// The largest number of characters in the excerpt.
    private static let length = 200

    /// - Parameter data: The body. The result is `nil` for `nil`, for an empty body and for a body
    ///   that isn't UTF-8 text.
    init?(_ data: Data?) {
        guard let data, !data.isEmpty else { return nil }
        // A character of UTF-8 has up to four bytes; the cut may split the last one.
        let beginning = data.prefix(Self.length * 4)
        let whole = (0..<4).lazy.compactMap { count in
            String(data: beginning.dropLast(count), encoding: .utf8)
        }
        guard let decoded = whole.first else { return nil }
        let line = decoded.split(whereSeparator: { $0.isWhitespace || $0.isNewline })
            .joined(separator: " ")
        let isText = line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard !line.isEmpty, isText else { return nil }
        let isCut = line.count > Self.length || data.count > beginning.count
        text = "“" + line.prefix(Self.length) + (isCut ? "…”" : "”")
    }
}
