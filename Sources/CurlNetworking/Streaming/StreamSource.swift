internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// What a stream's pieces come from; with the last one who may read it the task goes.
final class StreamSource: Sendable {
    let task: URLSessionDataTask
    private let delegate: URLSessionManagerTaskDelegate
    /// What was read before anybody asked for it, to see what a response that is refused says.
    private let ahead = Mutex(Data())

    /// Of an unacceptable response so much is kept for its error.
    private static let excerpt = 64 * 1024

    init(_ task: URLSessionDataTask, _ delegate: URLSessionManagerTaskDelegate) {
        self.task = task
        self.delegate = delegate
    }

    deinit { task.cancel() }

    /// Begins, and waits for the response's head.
    func head() async throws -> URLResponse {
        do {
            // As a task that its owner resumes: that is told, and from then on the task keeps its manager.
            task.resume()
            return try await task.head()
        } catch {
            throw delegate.refusal ?? error
        }
    }

    /// The next piece; `nil` at the end.
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

    /// Ends the task for a reason that counts for more than that it was cancelled for it.
    func refuse(because error: any Error) -> any Error {
        delegate.noteRefusal(because: error)
        task.cancel()
        return error
    }

    /// Ends the task for what a reader has found wrong in the body.
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
    /// - Parameter patience: For how long the body of one that is refused is waited for.
    /// - Throws: What is wrong with it, with the beginning of the body, which may explain it.
    func admit(
        _ response: URLResponse,
        by rules: HTTPResponseSerializer,
        patience: Duration
    ) async throws {
        guard let response = response as? HTTPURLResponse,
            case .invalid(let early) = rules.validateResponse(response, data: nil)
        else { return }
        // The body may have come to its end before it is looked at, and the task with it.
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

    /// Reads how a body begins: what comes first, and more where an end of it can be expected.
    ///
    /// - Parameter isRefused: The response is unacceptable, whatever comes. Otherwise it is once anything
    ///   has come; only then it is known that the task may be ended for what comes late.
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

    /// Ends the transfer when it has been waited for long enough, unless that is cancelled; the value is
    /// whether it did.
    private func end(after patience: Duration) -> Task<Bool, Never> {
        Task { [task] in
            guard (try? await Task.sleep(for: patience)) != nil else { return false }
            task.cancel()
            return true
        }
    }
}
