/// The content of a request.
///
/// A redirect or an authentication round may need the content a second time. Bytes and files are
/// simply sent again; a stream is asked for anew where it was made with
/// ``stream(length:restartable:)``, and otherwise the transfer ends with
/// ``TransportError/Code/bodyNotReplayable`` if some of it was sent already.
public struct RequestBody: Sendable {
    enum Kind: Sendable {
        case none
        case bytes([UInt8])
        case file(path: String, offset: Int64)
        case stream(RequestStream)
    }

    let kind: Kind

    /// No content.
    public static let none = RequestBody(kind: .none)

    /// These bytes. An empty array is content of length zero, which is not the same as none.
    public static func bytes(_ bytes: [UInt8]) -> RequestBody {
        RequestBody(kind: .bytes(bytes))
    }

    /// The UTF-8 bytes of `text`.
    public static func text(_ text: String) -> RequestBody {
        RequestBody(kind: .bytes(Array(text.utf8)))
    }

    /// A regular file, read piece by piece away from the loop while it is sent.
    ///
    /// A file that can't be opened is an error before anything is sent. The length is the file's
    /// size when the transfer starts, less `offset`.
    ///
    /// - Parameter offset: how many bytes at the file's beginning are left out. More than there are is
    ///   an error before anything is sent.
    public static func file(path: String, from offset: Int64 = 0) -> RequestBody {
        RequestBody(kind: .file(path: path, offset: offset))
    }

    /// What `sequence` yields, once.
    ///
    /// - Parameters:
    ///   - length: the number of bytes in all, where it is known. A sequence that yields another
    ///     number is an error; the last byte is sent when the sequence has ended. Where it isn't known, HTTP/1.1 sends chunks (RFC 9112 section 7.1).
    ///   - sequence: iterated in a task of its own, which is cancelled with the transfer. It is
    ///     asked for more only as fast as the connection takes it.
    public static func stream<Bytes: AsyncSequence & Sendable>(
        length: Int64? = nil,
        _ sequence: Bytes
    ) -> RequestBody where Bytes.Element == [UInt8] {
        RequestBody(kind: .stream(RequestStream(length: length, isRestartable: false) { sequence }))
    }

    /// What a sequence yields that can be made again from its start.
    ///
    /// - Parameters:
    ///   - length: the number of bytes in all, where it is known.
    ///   - make: called for each time that the content has to be sent.
    public static func stream<Bytes: AsyncSequence & Sendable>(
        length: Int64? = nil,
        restartable make: @escaping @Sendable () -> Bytes
    ) -> RequestBody where Bytes.Element == [UInt8] {
        RequestBody(kind: .stream(RequestStream(length: length, isRestartable: true, make)))
    }
}
