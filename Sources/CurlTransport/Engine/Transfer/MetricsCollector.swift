internal import Posix

/// Collects the metrics of a loop's transfers and connections for bytes.
///
/// It owns the reused builders, and the facts about connections that metrics share.
struct MetricsCollector {
    private var builders: [TransferMetricsBuilder] = []
    private static let maximumBuilders = 64
    private var connections = ConnectionTable()

    /// Adds the measurements of `attempt` to those of the transfer with `entry`.
    ///
    /// - Parameters:
    ///   - builder: The transfer's builder. If it is nil, it is set.
    ///   - content: The size of the content that is sent with the request's head.
    mutating func add(
        _ attempt: TransferAttempt,
        to builder: inout TransferMetricsBuilder?,
        submitted: MonotonicTime,
        entry: SchedulerEntry,
        content: Int = 0
    ) {
        let current = builder ?? takeBuilder()
        builder = current
        current.add(
            attempt,
            over: connections.info(of: attempt),
            submitted: submitted,
            queueTime: entry.queueTime,
            content: content
        )
    }

    /// Returns the metrics of a transfer that has ended, and takes its builder back.
    mutating func finish(
        _ builder: inout TransferMetricsBuilder?,
        submitted: MonotonicTime,
        entry: SchedulerEntry,
        redirects: Int = 0
    ) -> TransferMetrics {
        let current = builder ?? takeBuilder()
        builder = nil
        current.complete(
            redirects: redirects,
            queueTime: entry.queueTime,
            // A transfer may start and end within one turn.
            total: MonotonicTime.now.nanoseconds(since: submitted)
        )
        let metrics = TransferMetrics(current.measurements)
        keep(current)
        return metrics
    }

    private mutating func takeBuilder() -> TransferMetricsBuilder {
        builders.popLast() ?? TransferMetricsBuilder()
    }

    private mutating func keep(_ builder: TransferMetricsBuilder) {
        guard builders.count < Self.maximumBuilders else { return }
        builder.reset()
        builders.append(builder)
    }
}
