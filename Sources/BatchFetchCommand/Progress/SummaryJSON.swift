import BatchFetch

/// Formats the summary of a run as one JSON object, for programs.
enum SummaryJSON {
    /// The maximum number of hosts in the summary.
    private static let namedHosts = 20

    /// Formats the summary as one line.
    ///
    /// Times are in seconds. Percentiles are those of the last attempts of fetched URLs.
    ///
    ///     {"fetched":98,"failed":2,"unchanged":0,"existing":0,"duplicates":0,"skipped":0,
    ///      "retries":4,"bytes":123456,"seconds":1.5,
    ///      "latency":{"p50":0.01,"p90":0.02,"p99":0.05,"max":0.07},
    ///      "failures":[{"name":"status 404","count":2,
    ///                   "example":"line 7: the server answered 404"}],
    ///      "hosts":[{"host":"example.org:443","done":98,"failed":2,"bytes":123000}],
    ///      "robots":false,"results":"results.jsonl","ended_by":null,"exit_status":1}
    ///
    /// `ended_by` is `null`, a signal's name, such as `SIGTERM`, or `--max-time`. `insecure` is present,
    /// and true, only if certificates weren't verified.
    static func text(
        for summary: BatchSummary,
        _ context: SummaryContext,
        exitStatus: Int32
    ) -> String {
        let progress = summary.progress
        var line = JSONLine()
        line.beginObject()
        line.field("fetched", Int64(progress.fetched))
        line.field("failed", Int64(progress.failed))
        line.field("unchanged", Int64(progress.unchanged))
        line.field("existing", Int64(progress.existing))
        line.field("duplicates", Int64(progress.duplicates))
        line.field("skipped", Int64(progress.skipped))
        line.field("retries", Int64(progress.retries))
        line.field("bytes", progress.bytes)
        line.field("seconds", seconds: progress.elapsed)
        line.key("latency")
        line.beginObject()
        line.field("p50", seconds: summary.latency.percentile(50))
        line.field("p90", seconds: summary.latency.percentile(90))
        line.field("p99", seconds: summary.latency.percentile(99))
        line.field("max", seconds: summary.latency.maximum)
        line.endObject()
        line.key("failures")
        line.beginArray()
        for failure in summary.topFailures {
            line.beginElement()
            line.beginObject()
            line.field("name", failure.name)
            line.field("count", Int64(failure.count))
            line.field("example", failure.example)
            line.endObject()
        }
        line.endArray()
        line.key("hosts")
        line.beginArray()
        for host in summary.topHosts.prefix(namedHosts) {
            line.beginElement()
            line.beginObject()
            line.field("host", host.host)
            line.field("done", Int64(host.done))
            line.field("failed", Int64(host.failed))
            line.field("bytes", host.bytes)
            line.endObject()
        }
        line.endArray()
        if let obeysRobots = context.obeysRobots { line.field("robots", obeysRobots) }
        if context.isInsecure { line.field("insecure", true) }
        line.field("results", context.results)
        line.field("ended_by", context.endedBy)
        line.field("exit_status", Int64(exitStatus))
        line.endObject()
        line.endLine()
        return String(decoding: line.takeBytes(), as: UTF8.self)
    }

    /// Checks, before a run, that the file can be written.
    ///
    /// - Throws: ``BatchFailure/Code/output`` if it can't.
    static func check(_ path: String) throws(BatchFailure) {
        try describingFailure { () throws(BatchFailure) in try TextFile.check(path) }
    }

    /// Writes the summary as ``TextFile/write(_:to:)`` does.
    ///
    /// - Throws: ``BatchFailure/Code/output``.
    static func write(_ text: String, to path: String) throws(BatchFailure) {
        try describingFailure { () throws(BatchFailure) in try TextFile.write(text, to: path) }
    }

    private static func describingFailure(_ body: () throws(BatchFailure) -> Void)
        throws(BatchFailure)
    {
        do throws(BatchFailure) {
            try body()
        } catch {
            throw BatchFailure(.output, "can't write the summary: \(error.message)")
        }
    }
}
