public import Foundation

// Uploads of asynchronous sequences, which Foundation doesn't have.

extension URLSession {
    /// Uploads an asynchronous sequence of chunks, such as `[UInt8]` or `Data`.
    ///
    /// The chunks can be sent once. To send them again, for instance after a redirect, upload an
    /// ``UploadSequence`` that can be restarted.
    ///
    /// Cancelling the Swift task cancels the upload and the iteration.
    ///
    /// - Parameters:
    ///   - chunks: Iterated as fast as the connection accepts bytes, in a Swift task of its own.
    ///   - length: The number of bytes in all chunks, which isn't negative; `nil`, the default, if
    ///     unknown.
    ///   - delegate: The task's delegate; it takes precedence over the session's. A
    ///     ``URLSessionDataDelegate`` also gets the response and the body as they arrive.
    /// - Returns: The response's body and the response, whatever its status.
    /// - Throws: `URLError`: `requestBodyStreamExhausted` if the sequence throws, which is the
    ///   underlying error, if it has another length, or if it had to be sent again.
    public func upload<Chunks: AsyncSequence & Sendable>(
        for request: URLRequest,
        from chunks: Chunks,
        length: Int64? = nil,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse)
    where Chunks.Element: Collection<UInt8> & Sendable {
        let sequence = UploadSequence(chunks, length: length)
        return try await upload(for: request, from: sequence, delegate: delegate)
    }

    /// Uploads an asynchronous sequence of bytes, such as ``URLSession/AsyncBytes``.
    ///
    /// The bytes are collected: they are sent when there are 16 KiB of them, and at the end. See
    /// ``UploadSequence``.
    ///
    /// - Parameters:
    ///   - bytes: Iterated as fast as the connection accepts them, in a Swift task of its own.
    ///   - length: The number of bytes, which isn't negative; `nil`, the default, if unknown.
    ///   - delegate: The task's delegate; it takes precedence over the session's. A
    ///     ``URLSessionDataDelegate`` also gets the response and the body as they arrive.
    /// - Returns: The response's body and the response, whatever its status.
    /// - Throws: `URLError`: `requestBodyStreamExhausted` if the sequence throws, which is the
    ///   underlying error, if it has another length, or if it had to be sent again.
    public func upload<Bytes: AsyncSequence & Sendable>(
        for request: URLRequest,
        from bytes: Bytes,
        length: Int64? = nil,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) where Bytes.Element == UInt8 {
        let sequence = UploadSequence(bytes, length: length)
        return try await upload(for: request, from: sequence, delegate: delegate)
    }

    /// Uploads an asynchronous sequence that may be restartable.
    ///
    /// Cancelling the Swift task cancels the upload and the iteration.
    ///
    /// - Parameters:
    ///   - sequence: The body. The request's own body is ignored.
    ///   - delegate: The task's delegate; it takes precedence over the session's. A
    ///     ``URLSessionDataDelegate`` also gets the response and the body as they arrive.
    /// - Returns: The response's body and the response, whatever its status.
    /// - Throws: `URLError`: `requestBodyStreamExhausted` if the sequence throws, which is the
    ///   underlying error, if it has another length, or if it can't be sent again.
    public func upload(
        for request: URLRequest,
        from sequence: UploadSequence,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        let task = makeUploadTask(request, .sequence(sequence), .awaited, delegate: delegate)
        return try await task.core.data()
    }
}
