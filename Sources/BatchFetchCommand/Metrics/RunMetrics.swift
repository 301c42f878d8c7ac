import BatchFetch
import Synchronization

/// The metrics of a run; empty before it starts.
final class RunMetrics: Sendable {
    private let run = Mutex<BatchRun?>(nil)

    /// Sets the run whose metrics are shown.
    func attach(_ run: BatchRun) {
        self.run.withLock { $0 = run }
    }

    /// The metrics in the Prometheus text format.
    var page: String {
        PrometheusText.page(for: run.withLock { $0 }?.summary ?? BatchSummary())
    }
}
