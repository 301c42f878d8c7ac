/// The content of a request.
///
/// A redirect or an authentication round may need the content a second time. Bytes and files are
/// sent again. A stream made with ``stream(length:restartable:)`` is created again. With any other
/// stream the transfer fails with ``TransportError/Code/bodyNotReplayable`` if part of it was
/// already sent.
public struct RequestBody: Sendable {
    enum Kind: Sendable {
        case none
        case bytes([UInt8])
        case file(path: String, offset: Int64)
        case stream(RequestStream)
        case multipart(MultipartContent)
    }

    let kind: Kind

    /// The media type of the content, such as `application/json`. Default: nil, except for forms.
    ///
    /// It becomes the request's `Content-Type`, unless the request has one. Characters that a field
    /// can't have are replaced with spaces.
    public var contentType: String?

    /// No content.
    public static let none = RequestBody(kind: .none)

    /// The given bytes. An empty array is content of length zero, which differs from no content.
    public static func bytes(_ bytes: [UInt8]) -> RequestBody {
        RequestBody(kind: .bytes(bytes))
    }

    /// The UTF-8 bytes of `text`.
    public static func text(_ text: String) -> RequestBody {
        RequestBody(kind: .bytes(Array(text.utf8)))
    }

    /// A regular file, read in pieces while it is sent.
    ///
    /// Reads that have to wait for the disk happen on another thread than the event loop's. If the
    /// file can't be opened, the transfer fails before anything is sent. The length is the file's
    /// size when the transfer starts, minus `offset`.
    ///
    /// - Parameter offset: how many bytes to skip at the beginning of the file. If it exceeds the
    ///   file's size, the transfer fails before anything is sent.
    public static func file(path: String, from offset: Int64 = 0) -> RequestBody {
        RequestBody(kind: .file(path: path, offset: offset))
    }

    /// The chunks of an asynchronous sequence, which can be sent once.
    ///
    /// - Parameters:
    ///   - length: the total number of bytes, if known. If the sequence yields a different number,
    ///     the transfer fails; the last byte is sent only after the sequence has ended. Without a
    ///     length, HTTP/1.1 uses the chunked transfer coding (RFC 9112 section 7.1).
    ///   - sequence: iterated in a separate task with the task-local values and the priority of the
    ///     task that sends the request; it is cancelled with the transfer. It is iterated only as
    ///     fast as the connection accepts bytes. An error that it throws becomes the
    ///     ``TransportError/underlying`` of a ``TransportError/Code/requestBodyFailed``.
    public static func stream<Bytes: AsyncSequence & Sendable>(
        length: Int64? = nil,
        _ sequence: Bytes
    ) -> RequestBody where Bytes.Element == [UInt8] {
        RequestBody(kind: .stream(RequestStream(length: length, isRestartable: false) { sequence }))
    }

    /// The chunks of a sequence that can be created again from its start.
    ///
    /// - Parameters:
    ///   - length: the total number of bytes, if known.
    ///   - make: creates the sequence, once for each time that the content is sent. The sequence is
    ///     iterated in a task as in ``stream(length:_:)``.
    public static func stream<Bytes: AsyncSequence & Sendable>(
        length: Int64? = nil,
        restartable make: @escaping @Sendable () -> Bytes
    ) -> RequestBody where Bytes.Element == [UInt8] {
        RequestBody(kind: .stream(RequestStream(length: length, isRestartable: true, make)))
    }
}
