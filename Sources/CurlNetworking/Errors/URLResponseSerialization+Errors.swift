/// The domain of errors that response serializers make themselves.
///
/// Its codes are those of `URLError.Code`: `cannotDecodeContentData` (-1016) for an unacceptable media
/// type, `badServerResponse` (-1011) for an unacceptable status, `zeroByteResource` (-1014) for a body
/// that is missing, `cannotDecodeRawData` (-1015) for text that isn't any.
public let URLResponseSerializationErrorDomain: String =
    "com.alamofire.error.serialization.response"

/// The key in an error's `userInfo` of the `URLRequest` that failed, where it is known.
public let NetworkingOperationFailingURLRequestErrorKey: String =
    "com.alamofire.serialization.request.error.response"

/// The key in an error's `userInfo` of the `HTTPURLResponse` that was refused.
public let NetworkingOperationFailingURLResponseErrorKey: String =
    "com.alamofire.serialization.response.error.response"

/// The key in an error's `userInfo` of the body that was refused, a `Data`: what the server itself says
/// of a failure.
public let NetworkingOperationFailingURLResponseDataErrorKey: String =
    "com.alamofire.serialization.response.error.data"
