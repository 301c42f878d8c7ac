internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport

/// The probe's commands.
struct SessionProbe: Sendable {
    let url: URL
    /// A file with the certificates of the trusted authorities.
    let authority: String?

    func session(
        delegate: (any URLSessionDelegate)? = nil,
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        // Other processes' tests run at the same time: no request may fail by a timeout.
        configuration.timeoutIntervalForRequest = 600
        if let authority { configuration.tlsConfiguration.trustRoots = .file(authority) }
        configure(configuration)
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    func at(_ path: String) -> URL { url.appendingPathComponent(path) }

    // MARK: Memory

    /// Collects a large body, and prints how much memory that took.
    func collect() async throws {
        let session = session()
        _ = try await session.data(from: at("small"))
        let before = ProcessFacts.residentBytes
        ProcessFacts.resetPeak()
        let (data, _) = try await session.data(from: at("large"))
        print("peak=\(ProcessFacts.peakResidentBytes - before)")
        print("size=\(data.count)")
    }

    // MARK: Files

    /// Downloads a body while files may have at most `limit` bytes, as on a disk that is full.
    /// Prints the code of the error and of the system's error.
    func download(_ limit: Int) async throws {
        if limit > 0 {
            // Without a handler the signal would end the process.
            signal(SIGXFSZ, SIG_IGN)
            var limits = rlimit(rlim_cur: UInt(limit), rlim_max: UInt(limit))
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
        }
        do {
            _ = try await session().download(from: url)
            print("error=0")
        } catch let error as URLError {
            print("error=\(error.code.rawValue)")
            let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error
            if let cause = cause as? POSIXError { print("errno=\(cause.code.rawValue)") }
        }
    }

    // MARK: Waiting

    /// Measures the process while `count` requests wait for an answer: from the answer to
    /// `/settled`, which the server sends when it has received all of them, to the answer to
    /// `/moment`.
    func wait(_ count: Int) async throws {
        ProcessFacts.raiseDescriptorLimit()
        let session = session { $0.httpMaximumConnectionsPerHost = count + 8 }
        for _ in 0..<count { session.dataTask(with: at("wait")) { _, _, _ in }.resume() }
        _ = try await session.data(from: at("settled"))
        let loops = ThreadFacts.threads(namePrefix: "curl-loop")
        let woken = loops.map { ThreadFacts(thread: $0).switches }
        let before = Self.processorTime
        _ = try await session.data(from: at("moment"))
        print("microseconds=\(Self.processorTime - before)")
        let switches = zip(loops, woken).map { ThreadFacts(thread: $0).switches - $1 }
        print("switches=\(switches.reduce(0, +))")
        print("loops=\(loops.count)")
    }

    /// The processor time of this process, in microseconds.
    static var processorTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }

    // MARK: TLS

    /// Opens `count` TLS connections one after the other. Before that it removes the file of
    /// trusted authorities. Prints the number of connections, and whether a new session fails then.
    func handshakes(_ count: Int) async throws {
        guard let authority else { return }
        // No answer may come from the cache, and HTTP/2 can't request the end of a connection.
        let session = session {
            $0.urlCache = nil
            $0.httpVersion = .http1
        }
        var request = URLRequest(url: url)
        // The server closes each connection.
        request.setValue("close", forHTTPHeaderField: "Connection")
        _ = try await session.data(for: request, delegate: ConnectionCounter())
        try FileManager.default.removeItem(atPath: authority)
        let connections = ConnectionCounter()
        for _ in 0..<count { _ = try await session.data(for: request, delegate: connections) }
        print("connections=\(connections.count)")
        do {
            _ = try await self.session().data(for: request)
            print("refused=0")
        } catch {
            print("refused=1")
        }
    }

    // MARK: Exit

    /// Exits the process with a hundred requests in flight, when `count` are completed.
    func exitWithRequestsInFlight(after count: Int) async {
        let session = session { $0.httpMaximumConnectionsPerHost = 100 }
        let done = Watched(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    while true {
                        _ = try? await session.data(from: url)
                        let number = done.update { done in
                            done += 1
                            return done
                        }
                        if number == count { exit(0) }
                    }
                }
            }
            if count == 0 { exit(0) }
        }
    }
}

/// Counts the connections that tasks have opened.
private final class ConnectionCounter: NSObject, URLSessionTaskDelegate {
    private let made = Watched(0)

    var count: Int { made.read { $0 } }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        let new = metrics.transactionMetrics.count { !$0.isReusedConnection }
        made.update { $0 += new }
    }
}
