internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// The source of a stream's pieces.
///
/// The task is cancelled when the last reader releases it.
final class StreamSource: Sendable {
    let task: URLSessionDataTask
    private let delegate: URLSessionManagerTaskDelegate
    /// The beginning of the body, which was read to check the response.
    private let ahead = Mutex(Data())

    /// The limit of an unacceptable response's body in its error, in bytes.
    private static let excerpt = 64 * 1024

    init(_ task: URLSessionDataTask, _ delegate: URLSessionManagerTaskDelegate) {
        self.task = task
        self.delegate = delegate
    }

    deinit { task.cancel() }

    /// Resumes the task, and waits for the head of the response.
    func head() async throws -> URLResponse {
        do {
            // As if a client resumed it: monitors are notified, and the task retains its manager
            // from now on.
            task.resume()
            return try await task.head()
        } catch {
            throw delegate.refusal ?? error
        }
    }

    /// Returns the next piece; `nil` at the end.
    func next() async throws -> Data? {
        let kept = ahead.withLock { ahead in
            defer { ahead = Data() }
            return ahead
        }
        return kept.isEmpty ? try await read() : kept
    }

    private func read() async throws -> Data? {
        do {
            let piece = try await task.nextPiece()
            if piece != nil { delegate.noteReading(of: task) }
            return piece
        } catch {
            throw delegate.refusal ?? error
        }
    }

    /// Cancels the task. Readers receive the given error instead of the cancellation.
    func refuse(because error: any Error) -> any Error {
        delegate.noteRefusal(because: error)
        task.cancel()
        return error
    }

    /// Runs a reader's closure.
    ///
    /// If it throws, the task is cancelled with that error.
    func fail<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw refuse(because: error)
        }
    }

    // MARK: Early decisions

    /// Checks a response before its body is read.
    ///
    /// - Parameter patience: How long to wait for the body of an unacceptable response.
    /// - Throws: The error of an unacceptable response, with the beginning of its body, which may
    ///   explain it.
    func admit(
        _ response: URLResponse,
        by rules: HTTPResponseSerializer,
        patience: Duration
    ) async throws {
        guard let response = response as? HTTPURLResponse,
            case .invalid(let early) = rules.validateResponse(response, data: nil)
        else { return }
        // The body, and the task with it, may complete before the body is checked.
        if let early { delegate.noteRefusal(because: early) }
        let (body, isLate) = await readAhead(
            of: response,
            isRefused: early != nil,
            patience: patience
        )
        if case .invalid(let error?) = rules.validateResponse(response, data: body) {
            throw refuse(because: error)
        }
        if isLate, let early { throw refuse(because: early) }
    }

    /// Reads the beginning of a body.
    ///
    /// It reads the first piece, and more if the body is finite.
    ///
    /// - Parameter isRefused: Whether the response is unacceptable regardless of its body.
    ///   Otherwise it is unacceptable once a piece arrives; only then may a late body end the task.
    /// - Returns: The beginning, and whether the task was ended because the rest took too long.
    private func readAhead(
        of response: HTTPURLResponse,
        isRefused: Bool,
        patience: Duration
    ) async -> (body: Data, isLate: Bool) {
        let hasEnd = response.expectedContentLength >= 0 || response.statusCode >= 400
        var body = Data()
        var alarm = isRefused ? end(after: patience) : nil
        while body.count < Self.excerpt, let piece = try? await read() {
            body += piece
            if !hasEnd { break }
            if alarm == nil { alarm = end(after: patience) }
        }
        ahead.withLock { [body] in $0 = body }
        alarm?.cancel()
        return (body, await alarm?.value ?? false)
    }

    /// Cancels the transfer after a time.
    ///
    /// Cancelling the returned Swift task prevents that. The value of the Swift task is whether it
    /// cancelled the transfer.
    private func end(after patience: Duration) -> Task<Bool, Never> {
        Task { [task] in
            guard (try? await Task.sleep(for: patience)) != nil else { return false }
            task.cancel()
            return true
        }
    }
}
