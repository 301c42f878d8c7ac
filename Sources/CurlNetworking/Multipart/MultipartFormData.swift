public import Foundation

/// AFNetworking's `kAFUploadStream3GSuggestedPacketSize`: how many bytes to send at once over a slow
/// connection.
public let kUploadStream3GSuggestedPacketSize = 16384

/// AFNetworking's `kAFUploadStream3GSuggestedDelay`: how many seconds to wait between two packets over a
/// slow connection.
public let kUploadStream3GSuggestedDelay: TimeInterval = 0.2

/// A multipart form (RFC 7578) that is being put together: AFNetworking's `AFMultipartFormData`.
///
/// It is what the block of ``HTTPRequestSerializer/multipartFormRequest(withMethod:urlString:parameters:constructingBodyWith:)``
/// appends parts to, and is of use only while the block runs. Parts are sent in the order in which they
/// are appended. In names and file names `"` is written as `%22`, and line breaks as `%0D` and `%0A`, as
/// browsers do.
public protocol MultipartFormData: AnyObject {
    /// Appends a file, called what it is called, with the media type that its name's extension tells:
    /// `application/octet-stream` where it tells none.
    ///
    /// The file is opened when its part is sent. Its length then has to be what it is now, or the upload
    /// fails.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of a regular file.
    ///   - name: The name of the form's field.
    /// - Throws: An error of ``URLRequestSerializationErrorDomain`` with the code `badURL` where there
    ///   is no such file; what `FileManager` throws.
    func appendPart(withFileURL fileURL: URL, name: String) throws

    /// Appends a file.
    ///
    /// The file is opened when its part is sent. Its length then has to be what it is now, or the upload
    /// fails.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of a regular file.
    ///   - name: The name of the form's field.
    ///   - fileName: What the server is told that the file is called.
    ///   - mimeType: The media type.
    /// - Throws: An error of ``URLRequestSerializationErrorDomain`` with the code `badURL` where there
    ///   is no such file; what `FileManager` throws.
    func appendPart(
        withFileURL fileURL: URL,
        name: String,
        fileName: String,
        mimeType: String
    ) throws

    /// Appends what a stream has.
    ///
    /// A form with such a part can be sent once: a redirect or a challenge that needs it again fails the
    /// upload.
    ///
    /// - Parameters:
    ///   - inputStream: Belongs to the form from now on. `nil` is a stream without bytes.
    ///   - name: The name of the form's field.
    ///   - fileName: What the server is told that the file is called.
    ///   - length: How many bytes the stream has until its end. With more or fewer the upload fails.
    ///   - mimeType: The media type.
    func appendPart(
        with inputStream: InputStream?,
        name: String,
        fileName: String,
        length: Int64,
        mimeType: String
    )

    /// Appends data as a file.
    ///
    /// - Parameters:
    ///   - data: The file's content.
    ///   - name: The name of the form's field.
    ///   - fileName: What the server is told that the file is called.
    ///   - mimeType: The media type.
    func appendPart(withFileData data: Data, name: String, fileName: String, mimeType: String)

    /// Appends data as a field without a media type.
    ///
    /// - Parameters:
    ///   - data: The field's value.
    ///   - name: The name of the form's field.
    func appendPart(withForm data: Data, name: String)

    /// Appends a part with headers of one's own.
    ///
    /// - Parameters:
    ///   - headers: Are sent as they are, in their order; `nil` for none.
    ///   - body: The part's content.
    func appendPart(withHeaders headers: HTTPHeaders?, body: Data)

    /// Has the form sent slowly: so many bytes at most, then a wait. No thread waits meanwhile.
    ///
    /// It holds for every time that the form is sent.
    ///
    /// - Parameters:
    ///   - packetSize: In bytes, at least 1; ``kUploadStream3GSuggestedPacketSize`` for instance.
    ///   - delay: In seconds; ``kUploadStream3GSuggestedDelay`` for instance.
    func throttleBandwidth(withPacketSize packetSize: Int, delay: TimeInterval)
}
