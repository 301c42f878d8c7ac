import CurlResilience
import CurlTransport
import HTTPSemantics
import HTTPTypes
import Posix

/// Sends signed requests to one bucket, and repeats those that failed for a temporary reason.
///
/// All requests may be repeated: what they do once, they also do twice.
final class S3Client: Sendable {
    /// The longest answer, in bytes. A page of a listing has up to 1,000 keys of 1 KiB.
    private static let longestAnswer = 8 << 20
    private static let maximumConnections = 128

    let endpoint: S3Endpoint
    let bucket: String
    private let client: HTTPClient
    private let rules = RetryRules(
        limit: 6,
        baseDelay: .milliseconds(200),
        maximumDelay: .seconds(10),
        maximumRetryAfter: .seconds(30)
    )

    /// Starts the threads of a transport.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` for invalid settings, and
    ///   ``BatchFailure/Code/resources`` if the transport can't start.
    init(_ bucket: String, _ settings: AWSSettings) throws(BatchFailure) {
        guard Authentication.signsGivenContentHash else {
            throw BatchFailure(
                .configuration,
                "object storage needs libcurl 7.87 or newer: install it, or name a folder"
            )
        }
        self.bucket = bucket
        endpoint = try S3Endpoint(bucket: bucket, settings)
        var transport = TransportConfiguration()
        transport.maximumConnectionsPerHost = Self.maximumConnections
        var options = TransferOptions()
        options.authentication = .awsSigV4(
            provider: "aws:amz:\(settings.region):s3",
            accessKey: settings.credentials.accessKey,
            secretKey: settings.credentials.secretKey,
            sessionToken: settings.credentials.sessionToken
        )
        options.httpVersion = .http1
        options.redirects = .refuse
        // `send` repeats all requests, and has to know which ones.
        options.retriesOnReusedConnectionLoss = .never
        options.decodesContent = false
        options.proxy = .environment
        options.timeouts = Timeouts(connect: .seconds(10), idle: .seconds(60))
        if let file = settings.authoritiesFile { options.tls.trustRoots = .file(file) }
        do throws(TransportError) {
            client = try HTTPClient(configuration: transport, options: options)
        } catch {
            throw BatchFailure(startingWith: error)
        }
    }

    /// The executor of tasks that use this client: they may block briefly on the disk.
    var taskExecutor: any TaskExecutor { client.taskExecutor }

    /// Sends a request until it succeeds, or fails for a lasting reason or too often.
    ///
    /// - Parameter retries: The maximum number of retries.
    func send(_ request: S3Request, retries: Int = 6) async throws(S3Error) -> S3Answer {
        var request = request
        _ = try request.addDigest()
        var rules = rules
        rules.limit = retries
        var attempt = 1
        while true {
            var failure: S3Error
            do throws(S3Error) {
                return try await exchange(request, isRepeated: attempt > 1)
            } catch {
                failure = error
            }
            let decision = rules.decision(
                afterAttempt: attempt,
                cause: Self.cause(of: failure),
                share: .random(in: 0...1)
            )
            guard case .retry(let delay, _) = decision else {
                if case .refused(var refusal) = failure {
                    refusal.isRepeated = attempt > 1
                    failure = .refused(refusal)
                }
                throw failure
            }
            do {
                try await Task.sleep(for: delay)
            } catch {
                throw .cancelled
            }
            attempt += 1
        }
    }

    private static func cause(of error: S3Error) -> RetryCause {
        switch error {
        case .refused(let refusal):
            .transfer(isTransient: refusal.isTransient, mayHaveReachedServer: true)
        case .transport(let error):
            .transfer(isTransient: error.retry != .never, mayHaveReachedServer: true)
        case .invalidAnswer: .transfer(isTransient: true, mayHaveReachedServer: true)
        case .file, .noDigest, .cancelled: .permanent
        }
    }

    private func exchange(
        _ request: S3Request,
        isRepeated: Bool
    ) async throws(S3Error) -> S3Answer {
        let response: HTTPClientResponse
        let bytes: [UInt8]
        do throws(TransportError) {
            let message = try HTTPRequest(
                method: request.method,
                url: endpoint.url(key: request.key, query: request.query),
                headerFields: request.headerFields
            )
            let context = RequestContext(idempotency: .yes)
            response = try await client.send(message, body: request.body, context: context)
            bytes = try await response.body.collect(upTo: Self.longestAnswer)
        } catch {
            throw error.code == .cancelled ? .cancelled : .transport(error)
        }
        let element = S3Element(bytes)
        let fields = response.headerFields
        // A long operation may begin its answer with 200, and fail later.
        guard (200..<300).contains(response.statusCode), element?.name != "Error" else {
            throw .refused(S3Refusal(status: response.statusCode, fields, element))
        }
        if let name = request.requiredElement, element?[name] == nil {
            throw .invalidAnswer("the answer has no \(name)")
        }
        return S3Answer(headerFields: fields, element: element, isRepeated: isRepeated)
    }
}
