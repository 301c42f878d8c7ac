internal import LoadSupport

/// What requests came to.
public struct Tally: Sendable {
    /// Requests with the right status and length.
    public private(set) var completed = 0
    /// Requests that failed, or whose status or length was wrong.
    public private(set) var errors = 0
    /// Of the bodies of completed requests.
    public private(set) var bytes = 0
    /// -1: not known.
    public var connectionsOpened = 0
    /// From the first submission to the last result.
    public var seconds = 0.0
    /// Milliseconds.
    private var latencies: [Float] = []
    private var firstError: String?

    /// A tally with room for the times of `count` requests.
    public init(reserving count: Int = 0) {
        latencies.reserveCapacity(count)
    }

    /// Counts one request that has been answered.
    public mutating func count(_ outcome: Outcome, options: LoadOptions, started: Double) {
        if outcome.openedConnection { connectionsOpened += 1 }
        count(
            problem: outcome.problem(options),
            bytes: options.mode == .upload ? outcome.sent : outcome.received,
            started: started
        )
    }

    /// Counts one request: `problem` is nil where status and length were right.
    public mutating func count(problem: String?, bytes: Int, started: Double) {
        if let problem {
            errors += 1
            firstError = firstError ?? problem
        } else {
            completed += 1
            self.bytes += bytes
            latencies.append(Float(load_now() - started))
        }
    }

    /// Prints the line of JSON; the process's exit status.
    public mutating func report(client: String, options: LoadOptions) -> Int32 {
        var asked = load_options()
        asked.requests = Int64(options.requests)
        asked.concurrency = Int32(options.concurrency)
        var result = load_result()
        result.completed = Int64(completed)
        result.errors = Int64(errors)
        result.bytes = Int64(bytes)
        result.connections_opened = Int64(connectionsOpened)
        result.seconds = seconds
        result.latency_count = Int64(latencies.count)
        return latencies.withUnsafeMutableBufferPointer { latencies in
            result.latencies = latencies.baseAddress
            return client.withCString { client in
                (firstError ?? "").withCString { problem in
                    result.client = client
                    result.first_error = problem
                    return withUnsafePointer(to: asked) { load_report($0, result) }
                }
            }
        }
    }
}
