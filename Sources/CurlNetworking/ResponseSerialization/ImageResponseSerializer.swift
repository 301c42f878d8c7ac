public import CurlURLSession
public import Foundation

/// Lets images through, as data.
///
/// The media types of TIFF, JPEG, GIF, PNG, icons and bitmaps are acceptable; add others, such as
/// `image/webp`, to ``HTTPResponseSerializer/acceptableContentTypes``. Nothing decodes images here:
/// AFNetworking makes objects of Apple's frameworks of them.
///
/// `@unchecked Sendable`: it stores nothing beside what its superclass does.
open class ImageResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    /// Creates a serializer that accepts the types which AFNetworking's does.
    public required init() {
        super.init()
        acceptableContentTypes = [
            "image/tiff", "image/jpeg", "image/gif", "image/png", "image/ico", "image/x-icon",
            "image/bmp", "image/x-bmp", "image/x-xbitmap", "image/x-win-bitmap",
        ]
    }

    /// The image's data; `nil` for another type, and for an empty body.
    open override func responseObject(
        for response: URLResponse?,
        data: Data?,
        error: inout (any Error)?
    ) -> (any Sendable)? {
        guard admits(response, data: data, error: &error), let data, !data.isEmpty else {
            return nil
        }
        return data
    }
}
