import BatchFetch
import Synchronization

/// The figures of a run, for those who ask before there is one.
final class RunFigures: Sendable {
    private let run = Mutex<BatchRun?>(nil)

    func show(_ run: BatchRun) {
        self.run.withLock { $0 = run }
    }

    /// As Prometheus reads them.
    var page: String {
        PrometheusText.page(for: run.withLock { $0 }?.summary ?? BatchSummary())
    }
}
