// snippet: ExportingMetrics/series
import CoreMetrics
import Synchronization

/// The values of a metric with one set of labels.
protocol PrometheusSeries: AnyObject, Sendable {
    func write(_ name: String, _ labels: String, to text: inout String)
}

/// A counter or a gauge.
final class PrometheusNumber: PrometheusSeries, CounterHandler, FloatingPointCounterHandler,
    MeterHandler, RecorderHandler
{
    private let value = Mutex(0.0)

    func increment(by amount: Int64) { value.withLock { $0 += Double(amount) } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func reset() { value.withLock { $0 = 0 } }
    func set(_ new: Int64) { value.withLock { $0 = Double(new) } }
    func set(_ new: Double) { value.withLock { $0 = new } }
    func record(_ new: Int64) { set(new) }
    func record(_ new: Double) { set(new) }

    func write(_ name: String, _ labels: String, to text: inout String) {
        let value = value.withLock { $0 }
        text += "\(name)\(PrometheusText.braced(labels)) \(PrometheusText.number(value))\n"
    }
}

/// Counts values between bounds.
final class PrometheusHistogram: PrometheusSeries, RecorderHandler, TimerHandler {
    private struct Values {
        /// One more than there are bounds.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let values: Mutex<Values>

    init(bounds: [Double]) {
        self.bounds = bounds
        values = Mutex(Values(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard !value.isNaN else { return }
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        values.withLock { values in
            values.counts[place] += 1
            values.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func write(_ name: String, _ labels: String, to text: inout String) {
        let values = values.withLock { $0 }
        let start = labels.isEmpty ? "" : labels + ","
        var count: UInt64 = 0
        for (bound, number) in zip(bounds + [.infinity], values.counts) {
            count += number
            text += "\(name)_bucket{\(start)le=\"\(PrometheusText.number(bound))\"} \(count)\n"
        }
        let braced = PrometheusText.braced(labels)
        text += "\(name)_sum\(braced) \(PrometheusText.number(values.sum))\n"
        text += "\(name)_count\(braced) \(count)\n"
    }
}
// end
