public import CurlURLSession
public import Foundation

// `@unchecked Sendable`: it has no stored properties except those of its superclass.
/// Accepts images, and returns their data.
///
/// The media types of TIFF, JPEG, GIF, PNG, icons and bitmaps are acceptable. Add others, such as
/// `image/webp`, to ``HTTPResponseSerializer/acceptableContentTypes``. Images aren't decoded,
/// unlike in AFNetworking, which returns objects of Apple's frameworks.
open class ImageResponseSerializer: HTTPResponseSerializer, @unchecked Sendable {
    /// Creates a serializer that accepts the same types as AFNetworking's.
    public required init() {
        super.init()
        acceptableContentTypes = [
            "image/tiff", "image/jpeg", "image/gif", "image/png", "image/ico", "image/x-icon",
            "image/bmp", "image/x-bmp", "image/x-xbitmap", "image/x-win-bitmap",
        ]
    }

    /// Creates a serializer from an archive.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Returns the image's data.
    ///
    /// The result is `nil` for another media type, and for an empty body.
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
