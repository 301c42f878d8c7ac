internal import LoadSupport

/// What requests came to.
struct Tally: Sendable {
    var completed = 0
    var errors = 0
    var bytes = 0
    var connectionsOpened = 0
    /// Milliseconds.
    var latencies: [Float] = []
    var firstError: String?

    /// Counts one request: `problem` is nil where status and length were right.
    mutating func count(problem: String?, bytes: Int, started: Double) {
        if let problem {
            errors += 1
            firstError = firstError ?? problem
        } else {
            completed += 1
            self.bytes += bytes
            latencies.append(Float(load_now() - started))
        }
    }

    mutating func add(_ other: Tally) {
        completed += other.completed
        errors += other.errors
        bytes += other.bytes
        connectionsOpened += other.connectionsOpened
        latencies += other.latencies
        firstError = firstError ?? other.firstError
    }

    /// What is wrong with a response; nil: nothing.
    static func problem(status: Int, received: Int, options: LoadOptions) -> String? {
        guard status == 200 else { return "status \(status)" }
        guard options.mode != .upload, let expected = options.bodyBytes, received != expected else {
            return nil
        }
        return "\(received) bytes instead of \(expected)"
    }

    /// Prints the line of JSON; the process's exit status.
    mutating func report(client: String, seconds: Double, options: load_options) -> Int32 {
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
                    return withUnsafePointer(to: options) { load_report($0, result) }
                }
            }
        }
    }
}
