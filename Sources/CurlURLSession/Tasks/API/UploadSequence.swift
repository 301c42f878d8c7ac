internal import CurlTransport

/// The body of an upload: an asynchronous sequence that is read while it is sent.
///
/// ```swift
/// let (bytes, _) = try await session.bytes(from: source)
/// let (data, response) = try await session.upload(for: request, from: bytes)
/// ```
///
/// The sequence is iterated only as fast as the connection accepts bytes: this process buffers at
/// most about 1 MiB and one element. The iteration runs in a Swift task of its own, which is
/// cancelled when the URL task ends, or with the response of a server that hasn't read the whole body.
///
/// With a length, the request has a `Content-Length`, and the upload fails if the sequence has more
/// or fewer bytes; with a length of 0 it isn't iterated. Without a length, the request's own
/// `Content-Length` applies. Without that field, HTTP/1.1 sends the body in chunks (RFC 9112, 7.1),
/// and the task's ``URLSessionTask/countOfBytesExpectedToSend`` is -1.
///
/// A redirect with the status 307 or 308, a challenge, a lost connection or a retry may require the
/// body a second time. A body of `init(length:restartable:)` is then created again. Any other body
/// can't be sent again once its iteration has begun: a redirect or a challenge then ends the task
/// with `URLError.requestBodyStreamExhausted`, and other failures aren't retried.
/// `urlSession(_:task:needNewBodyStream:)` isn't called.
///
/// An error that the sequence throws ends the task with `URLError.requestBodyStreamExhausted`; the
/// error is under `NSUnderlyingErrorKey`.
///
/// No `Content-Type` is added. The upload can't be resumed. A ``URLProtocol`` that loads the
/// request doesn't get the body.
public struct UploadSequence: Sendable {
    /// The number of bytes; `nil` if unknown.
    public let length: Int64?

    /// `nil` for a sequence that can be created again.
    private let use: SingleUse?
    private let body: @Sendable (@escaping @Sendable (any Error) -> Void) -> RequestBody

    /// Whether the sequence can be created again from its start.
    public var isRestartable: Bool { use == nil }

    // MARK: Chunks

    /// Creates a body from chunks, such as `[UInt8]` or `Data`, that can be sent once.
    ///
    /// Empty chunks are skipped.
    ///
    /// - Parameters:
    ///   - chunks: Iterated at most once.
    ///   - length: The number of bytes in all chunks, which isn't negative; `nil`, the default, if
    ///     unknown.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int64? = nil
    ) where Chunks.Element: Collection<UInt8> & Sendable {
        let use = SingleUse()
        self.length = length
        self.use = use
        body = { didFail in
            .stream(length: length, UploadChunks(chunks, use: use, didFail: didFail))
        }
    }

    /// Creates a body from chunks, such as `[UInt8]` or `Data`, that can be sent again.
    ///
    /// - Parameters:
    ///   - length: The number of bytes in all chunks, which isn't negative; `nil`, the default, if
    ///     unknown.
    ///   - make: Creates a new sequence of the same bytes each time that the body is sent. Called
    ///     in a Swift task, outside of any actor.
    public init<Chunks: AsyncSequence & Sendable>(
        length: Int64? = nil,
        restartable make: @escaping @Sendable () -> Chunks
    ) where Chunks.Element: Collection<UInt8> & Sendable {
        self.length = length
        use = nil
        body = { didFail in
            .stream(
                length: length,
                restartable: { UploadChunks(make(), use: nil, didFail: didFail) }
            )
        }
    }

    // MARK: Bytes

    /// Creates a body from single bytes, such as ``URLSession/AsyncBytes``, that can be sent once.
    ///
    /// The bytes are collected: they are sent when there are 16 KiB of them, and at the end.
    ///
    /// - Parameters:
    ///   - bytes: Iterated at most once.
    ///   - length: The number of bytes, which isn't negative; `nil`, the default, if unknown.
    public init<Bytes: AsyncSequence & Sendable>(
        _ bytes: Bytes,
        length: Int64? = nil
    ) where Bytes.Element == UInt8 {
        self.init(CollectedBytes(bytes), length: length)
    }

    /// Creates a body from single bytes that can be sent again.
    ///
    /// The bytes are collected: they are sent when there are 16 KiB of them, and at the end.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, which isn't negative; `nil`, the default, if unknown.
    ///   - make: Creates a new sequence of the same bytes each time that the body is sent. Called
    ///     in a Swift task, outside of any actor.
    public init<Bytes: AsyncSequence & Sendable>(
        length: Int64? = nil,
        restartable make: @escaping @Sendable () -> Bytes
    ) where Bytes.Element == UInt8 {
        self.init(length: length, restartable: { CollectedBytes(make()) })
    }

    // MARK: Sending

    /// Whether the body can be sent: it can be created again, or wasn't begun.
    var canBeSent: Bool { !(use?.isBegun ?? false) }

    /// Returns the body in the transport's form.
    ///
    /// - Parameter didFail: Called with the error that the sequence throws.
    func requestBody(_ didFail: @escaping @Sendable (any Error) -> Void) -> RequestBody {
        body(didFail)
    }
}
