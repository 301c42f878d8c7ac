internal import CurlTransport
internal import Glibc
internal import HTTPTypes
internal import TestSupport

/// The probe's commands.
struct Probe: Sendable {
    let url: String
    /// A file with the certificate of the trusted authority.
    let authority: String?

    var options: TransferOptions {
        var options = TransferOptions()
        // Other processes' tests run at the same time: no handshake may fail by a timeout.
        options.timeouts.connect = .seconds(60)
        if let authority { options.tls.trustRoots = .file(authority) }
        return options
    }

    // MARK: Start and shutdown

    /// Starts and shuts down transports, with a request each. Prints what the process retains.
    func cycles(_ count: Int) async throws {
        // Warms up: the process allocates some things once and keeps them.
        for _ in 0..<20 { try await cycle() }
        report("before")
        for _ in 0..<count { try await cycle() }
        report("after")
    }

    /// Sends a request with the key log of the environment, or without. Prints whether it is too
    /// late to disable it afterwards.
    func logKeys(isDisabled: Bool) async throws {
        if isDisabled { try TLSKeyLog.disable() }
        print("path=\(TLSKeyLog.path == nil ? 0 : 1)")
        try await cycle()
        do {
            try TLSKeyLog.disable()
            print("late=0")
        } catch {
            print("late=1")
        }
    }

    private func cycle() async throws {
        let client = try HTTPClient(options: options)
        try await fetch(client)
        await client.shutdown()
    }

    func fetch(_ client: HTTPClient, _ path: String = "") async throws {
        let response = try await client.send(HTTPRequest(url: url + path))
        _ = try await response.body.collect(upTo: 1 << 20)
    }

    /// Shuts down transports while references to them are still held.
    func hold(_ count: Int) async throws {
        for _ in 0..<20 { try await cycle() }
        report("before")
        var held: [HTTPClient] = []
        for _ in 0..<count {
            var configuration = TransportConfiguration()
            configuration.eventLoopCount = 2
            let client = try HTTPClient(configuration: configuration, options: options)
            try await fetch(client)
            try await download(client)
            held.append(client)
        }
        report("during")
        for client in held { await client.shutdown() }
        report("after")
        withExtendedLifetime(held) {}
    }

    /// A download to a file starts the files' thread.
    private func download(_ client: HTTPClient) async throws {
        let path = "/tmp/transport-probe-\(getpid())"
        defer { unlink(path) }
        _ = try await client.download(HTTPRequest(url: url), to: path)
    }

    /// Releases the last reference to transports instead of shutting them down.
    func forget(_ count: Int) async throws {
        for _ in 0..<20 { try await cycle() }
        report("before")
        for _ in 0..<count {
            let client = try HTTPClient(options: options)
            try await fetch(client)
        }
        // Threads end by themselves; the parent process sets the time limit.
        try await ProcessFacts.threadsEnd(namePrefix: "curl-")
        report("after")
    }

    private func report(_ moment: String) {
        print("\(moment).descriptors=\(ProcessFacts.openDescriptorCount)")
        print("\(moment).threads=\(ProcessFacts.threadCount(namePrefix: "curl-"))")
    }

    // MARK: Exit

    /// Exits the process with a hundred requests in flight, when `count` are completed.
    func exitInFlight(after count: Int) async throws {
        let client = try HTTPClient(options: options)
        let done = Watched(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    while true {
                        try? await fetch(client)
                        if done.update({
                            $0 += 1; return $0
                        }) == count {
                            exit(0)
                        }
                    }
                }
            }
            if count == 0 { exit(0) }
        }
    }

    /// Uploads to a server that closes the connection. SIGPIPE has its default action, which ends
    /// the process.
    func brokenUploads(_ count: Int) async throws {
        let client = try HTTPClient(options: options)
        let body = [UInt8](repeating: 1, count: 4 << 20)
        var failures = 0
        for _ in 0..<count {
            do {
                let request = try HTTPRequest(method: .post, url: url)
                let response = try await client.send(request, body: .bytes(body))
                _ = try await response.body.collect(upTo: 1 << 20)
            } catch {
                failures += 1
            }
        }
        print("failures=\(failures)")
        var action = sigaction()
        sigaction(SIGPIPE, nil, &action)
        let isDefault = action.__sigaction_handler.sa_handler == nil
        print("default=\(isDefault ? 1 : 0)")
        await client.shutdown()
    }

    // MARK: Waiting

    /// Measures the loop's thread while `count` requests wait for an answer: from the answer to
    /// `/settled`, which the server sends when it has received all of them, to the answer to
    /// `/moment`.
    func idle(_ count: Int) async throws {
        ProcessFacts.raiseDescriptorLimit()
        let transport = try Transport()
        let watch = Watched(0)
        let prepared = try PreparedOptions(options)
        for _ in 0..<count {
            let request = TransferRequest(
                try HTTPRequest(url: url + "/wait"),
                options: prepared
            )
            transport.start(request, delegate: SentCounter(watch))
        }
        try await watch.wait { $0 == count ? () : nil }
        let loops = ThreadFacts.threads(namePrefix: "curl-loop")
        let other = try HTTPClient()
        try await fetch(other, "/settled")
        let before = loops.map { ThreadFacts(thread: $0) }
        try await fetch(other, "/moment")
        let after = loops.map { ThreadFacts(thread: $0) }
        print("loops=\(loops.count)")
        for (before, after) in zip(before, after) {
            print("nanoseconds=\(after.nanoseconds - before.nanoseconds)")
            print("switches=\(after.switches - before.switches)")
        }
        await other.shutdown()
        await transport.shutdown()
    }
}

/// Counts the requests that have been sent.
final class SentCounter: TransferDelegate {
    private let sent: Watched<Int>

    init(_ sent: Watched<Int>) {
        self.sent = sent
    }

    func transferDidSendRequest(_ transfer: TransferHandle) {
        sent.update { $0 += 1 }
    }

    func transfer(
        _ transfer: TransferHandle,
        didReceiveBody bytes: Span<UInt8>
    ) -> DeliveryDecision {
        .proceed
    }

    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {}
}
