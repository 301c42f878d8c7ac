import CurlTransport
import HTTPTypes
import Posix
import Synchronization

/// Stores the objects of a run.
final class ObjectUploads: Sendable {
    private struct State: Sendable {
        var tasks: [Int: Task<Void, Never>] = [:]
        var nextTask = 0
        var isCancelled = false
    }

    let storage: ObjectStorage
    let client: S3Client
    private let state = Mutex(State())

    /// Finds the keys and starts the threads of a transport. Reads files.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` without keys, or for invalid settings.
    init(_ storage: ObjectStorage) throws(BatchFailure) {
        self.storage = storage
        client = try S3Client(storage.bucket, AWSSettings(for: storage))
    }

    /// Stores an object, and calls `done` on any thread.
    ///
    /// - Parameters:
    ///   - name: The name below the prefix.
    ///   - isCancellable: Whether ``cancel()`` cancels it.
    ///   - done: Gets the failure, or `nil` when the object is stored.
    func store(
        _ content: SpooledBody,
        as name: String,
        contentType: String? = nil,
        replacesObject: Bool = true,
        isCancellable: Bool = true,
        done: @escaping @Sendable (BatchFailure?) -> Void
    ) {
        let upload = S3Upload(
            client: client,
            key: storage.key(name),
            content: content,
            contentType: contentType,
            replacesObject: replacesObject
        )
        start(isCancellable: isCancellable) { [self] in
            var failure: BatchFailure?
            do throws(S3Error) {
                try await upload.run()
            } catch {
                failure = self.failure(error, storing: name)
            }
            content.drop()
            done(failure)
        }
    }

    /// Cancels uploads. Their parts are removed, and their callbacks get a failure.
    func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }

    /// Runs `body` in a task.
    private func start(
        isCancellable: Bool,
        _ body: @escaping @Sendable () async -> Void
    ) {
        guard isCancellable else {
            Task(executorPreference: client.taskExecutor) { await body() }
            return
        }
        let cancelled: Task<Void, Never>? = state.withLock { state in
            let number = state.nextTask
            state.nextTask += 1
            let task = Task(executorPreference: client.taskExecutor) { [self] in
                await body()
                self.state.withLock { $0.tasks[number] = nil }
            }
            state.tasks[number] = task
            return state.isCancelled ? task : nil
        }
        cancelled?.cancel()
    }

    /// Runs `body` in a task, and blocks until it has ended. Not for tasks.
    func wait<Value: Sendable>(
        for body: @escaping @Sendable (S3Client) async -> Value
    ) throws(BatchFailure) -> Value {
        let waiter: Waiter<Value>
        do throws(SystemFailure) {
            waiter = try Waiter()
        } catch {
            throw BatchFailure(.resources, "\(error)")
        }
        start(isCancellable: false) { [client] in waiter.end(with: await body(client)) }
        return waiter.wait()
    }

    /// Checks the server, the bucket and the keys by reading the bucket.
    ///
    /// Blocks. Keys that may only write are accepted.
    ///
    /// - Throws: ``BatchFailure/Code/output``.
    func check() throws(BatchFailure) {
        let prefix = storage.key("")
        let error: S3Error? = try wait { client in
            do throws(S3Error) {
                _ = try await client.check(prefix: prefix)
                return nil
            } catch {
                return error
            }
        }
        guard let error else { return }
        if case .refused(let refusal) = error,
            refusal.code == "AccessDenied" || [405, 501].contains(refusal.status)
        {
            return
        }
        throw failure(error, storing: "")
    }

    /// The failure of storing an object, in words for the user.
    func failure(_ error: S3Error, storing name: String) -> BatchFailure {
        let place = "“\(storage.address(of: name))” at \(client.endpoint.origin)"
        switch error {
        case .cancelled:
            return BatchFailure(
                .cancelled,
                "the run ended while a body was being stored in \(place)"
            )
        case .file(let error):
            return BatchFailure(.output, error).adding(
                "bodies wait there until they are in object storage; set TMPDIR to another folder"
            )
        case .noDigest:
            return BatchFailure(.resources, "the system's libcrypto has no SHA-256")
        case .transport(let error):
            var failure = BatchFailure(.output, "can't store \(place): \(Self.reason(error))")
            failure.curlCode = error.curlCode
            failure.systemErrno = error.systemErrno
            failure.endsRun = true
            return failure
        case .invalidAnswer(let reason):
            return ending(
                "can't store \(place): \(reason); is it the address of a server like S3?"
            )
        case .refused(let refusal):
            let text = "can't store \(place): \(refusal.text)"
            return refusal.concernsObject ? BatchFailure(.output, text) : ending(text)
        }
    }

    private func ending(_ text: String) -> BatchFailure {
        var failure = BatchFailure(.output, text)
        failure.endsRun = true
        return failure
    }

    private static func reason(_ error: TransportError) -> String {
        error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
    }
}

/// Blocks a thread until a task has ended.
private final class Waiter<Value: Sendable>: Sendable {
    private let wakeup: Wakeup
    private let value = Mutex<Value?>(nil)

    init() throws(SystemFailure) {
        wakeup = try Wakeup()
    }

    func end(with value: Value) {
        self.value.withLock { $0 = value }
        wakeup.signal()
    }

    func wait() -> Value {
        while true {
            if let value = value.withLock({ $0 }) { return value }
            wakeup.wait(until: nil)
        }
    }
}

extension S3Client {
    /// Reads the bucket. Few retries: a user waits for the start of the run.
    fileprivate func check(prefix: String) async throws(S3Error) {
        let query = ["list-type": "2", "max-keys": "1", "prefix": prefix]
        let answer = try await send(S3Request(.get, query: query), retries: 2)
        guard answer.element?.name == "ListBucketResult" else {
            throw .invalidAnswer("the answer is no listing of a bucket")
        }
    }
}

extension S3Refusal {
    /// Whether other objects may be stored all the same.
    fileprivate var concernsObject: Bool {
        ["KeyTooLongError", "EntityTooLarge", "XMinioInvalidObjectName", "InvalidURI"]
            .contains(code)
    }

    /// What the server said, and what to do.
    fileprivate var text: String {
        let name = code.isEmpty ? "status \(status)" : "\(code) (\(status))"
        let said = message.isEmpty ? name : "\(name): \(message)"
        return advice.map { "\(said); \($0)" } ?? said
    }

    private var advice: String? {
        switch code {
        case "NoSuchBucket": return "make the bucket, or name another one"
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken":
            return
                "check the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in the profile"
        case "AccessDenied": return "the keys need the right s3:PutObject for the prefix"
        case "RequestTimeTooSkewed": return "set the clock of this machine"
        case "PreconditionFailed":
            return "another run writes archives to the same prefix: name another prefix"
        default: break
        }
        if let region, status != 200 { return "set AWS_REGION to \(region)" }
        return nil
    }
}
