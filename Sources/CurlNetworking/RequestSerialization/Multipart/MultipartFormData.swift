public import Foundation

/// The suggested packet size in bytes for slow connections.
///
/// It is AFNetworking's `kAFUploadStream3GSuggestedPacketSize`.
public let kUploadStream3GSuggestedPacketSize = 16384

/// The suggested delay in seconds between two packets for slow connections.
///
/// It is AFNetworking's `kAFUploadStream3GSuggestedDelay`.
public let kUploadStream3GSuggestedDelay: TimeInterval = 0.2

/// A multipart form (RFC 7578) under construction: AFNetworking's `AFMultipartFormData`.
///
/// The block of
/// ``HTTPRequestSerializer/multipartFormRequest(withMethod:urlString:parameters:constructingBodyWith:)``
/// appends parts to it. It can only be used while the block runs. Parts are sent in the order in
/// which they are appended. In names and file names `"` is written as `%22`, and line breaks as
/// `%0D` and `%0A`, as browsers do.
public protocol MultipartFormData: AnyObject {
    /// Appends a file with its own name and its extension's media type.
    ///
    /// The media type is `application/octet-stream` if the extension is unknown. The file is opened
    /// when its part is sent. If its length has changed by then, the upload fails.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of a regular file.
    ///   - name: The name of the form's field.
    /// - Throws: An error of ``URLRequestSerializationErrorDomain`` with the code `badURL` if there
    ///   is no such file; errors of `FileManager`.
    func appendPart(withFileURL fileURL: URL, name: String) throws

    /// Appends a file.
    ///
    /// The file is opened when its part is sent. If its length has changed by then, the upload
    /// fails.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of a regular file.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name that is sent to the server.
    ///   - mimeType: The media type.
    /// - Throws: An error of ``URLRequestSerializationErrorDomain`` with the code `badURL` if there
    ///   is no such file; errors of `FileManager`.
    func appendPart(
        withFileURL fileURL: URL,
        name: String,
        fileName: String,
        mimeType: String
    ) throws

    /// Appends the content of a stream.
    ///
    /// A form with such a part can be sent only once. If a redirect or a challenge requires it a
    /// second time, the upload fails.
    ///
    /// - Parameters:
    ///   - inputStream: The stream, which the form owns from now on. `nil` is an empty stream.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name that is sent to the server.
    ///   - length: The length of the stream in bytes. With more or fewer bytes the upload fails.
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
    ///   - fileName: The file name that is sent to the server.
    ///   - mimeType: The media type.
    func appendPart(withFileData data: Data, name: String, fileName: String, mimeType: String)

    /// Appends data as a field without a media type.
    ///
    /// - Parameters:
    ///   - data: The field's value.
    ///   - name: The name of the form's field.
    func appendPart(withForm data: Data, name: String)

    /// Appends a part with custom headers.
    ///
    /// - Parameters:
    ///   - headers: The headers, sent unchanged and in this order; `nil` for none.
    ///   - body: The part's content.
    func appendPart(withHeaders headers: HTTPHeaders?, body: Data)

    /// Limits the bandwidth of the form with packets and delays.
    ///
    /// The form is sent one packet at a time, with the delay between packets. No thread is blocked
    /// during the wait. The limit applies each time the form is sent.
    ///
    /// - Parameters:
    ///   - packetSize: In bytes, at least 1; for example ``kUploadStream3GSuggestedPacketSize``.
    ///   - delay: In seconds; for example ``kUploadStream3GSuggestedDelay``.
    func throttleBandwidth(withPacketSize packetSize: Int, delay: TimeInterval)
}
