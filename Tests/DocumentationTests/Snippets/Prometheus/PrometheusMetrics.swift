// snippet: ExportingMetrics/factory
import CoreMetrics
import Synchronization

/// A backend of swift-metrics that writes its values in Prometheus' text format.
final class PrometheusMetrics: MetricsFactory {
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    private struct Series {
        let values: any PrometheusSeries
        /// The metrics with this name and these labels.
        var users = 1
    }

    private struct Family {
        let kind: Kind
        /// By their labels, as they are written.
        var series: [String: Series] = [:]
    }

    private struct State {
        var families: [String: Family] = [:]
        var count = 0
        var refused = 0
    }

    private let durationBuckets: [Double]
    private let sizeBuckets: [Double]
    private let maximumSeries: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - durationBuckets: The bounds of timers, in seconds. Default: OpenTelemetry's.
    ///   - sizeBuckets: The bounds of recorders. Default: 256 to 64 Mi, each four times the former.
    ///   - maximumSeries: Metrics with further names or labels aren't stored.
    init(
        durationBuckets: [Double] = [
            0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
        ],
        sizeBuckets: [Double] = (0..<10).map { Double(256 << (2 * $0)) },
        maximumSeries: Int = 10_000
    ) {
        self.durationBuckets = durationBuckets
        self.sizeBuckets = sizeBuckets
        self.maximumSeries = maximumSeries
    }

    /// All values: the body of a response with the type `text/plain; version=0.0.4`.
    func text() -> String {
        let (families, refused) = state.withLock { ($0.families, $0.refused) }
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                series.values.write(name, labels, to: &text)
            }
        }
        text += "# TYPE prometheus_refused_series_total counter\n"
        text += "prometheus_refused_series_total \(refused)\n"
        return text
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        number(label, dimensions, .counter)
    }

    func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        number(label, dimensions, .counter)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        number(label, dimensions, .gauge)
    }

    func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return number(label, dimensions, .gauge) }
        return series(PrometheusText.name(label), dimensions, .histogram) {
            PrometheusHistogram(bounds: sizeBuckets)
        }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(PrometheusText.name(label, unit: "seconds"), dimensions, .histogram) {
            PrometheusHistogram(bounds: durationBuckets)
        }
    }

    func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    private func number(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: Kind
    ) -> PrometheusNumber {
        let name = PrometheusText.name(label, unit: kind == .counter ? "total" : nil)
        return series(name, dimensions, kind) { PrometheusNumber() }
    }

    /// The values of all metrics with this name and these labels.
    private func series<Values: PrometheusSeries>(
        _ name: String,
        _ dimensions: [(String, String)],
        _ kind: Kind,
        make: () -> Values
    ) -> Values {
        let labels = PrometheusText.labels(dimensions)
        return state.withLock { state in
            // Two metrics of different kinds can't have one name.
            let isTaken = state.families[name].map { $0.kind != kind } ?? false
            let name = isTaken ? "\(name)_\(kind.rawValue)" : name
            var family = state.families[name] ?? Family(kind: kind)
            if let known = family.series[labels]?.values as? Values {
                family.series[labels]?.users += 1
                state.families[name] = family
                return known
            }
            let made = make()
            guard state.count < maximumSeries, family.kind == kind else {
                state.refused += 1
                return made
            }
            family.series[labels] = Series(values: made)
            state.families[name] = family
            state.count += 1
            return made
        }
    }

    private func remove(_ handler: AnyObject) {
        state.withLock { state in
            for (name, family) in state.families {
                guard
                    let (labels, series) = family.series.first(where: {
                        $0.value.values === handler
                    })
                else { continue }
                guard series.users == 1 else {
                    state.families[name]?.series[labels]?.users -= 1
                    return
                }
                state.families[name]?.series[labels] = nil
                state.count -= 1
                if family.series.count == 1 { state.families[name] = nil }
                return
            }
        }
    }
}
// end
