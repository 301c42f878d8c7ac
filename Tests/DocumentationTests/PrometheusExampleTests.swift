internal import CoreMetrics
internal import CurlServices
internal import TestSupport
internal import Testing

/// The exporter of the page "Export metrics to Prometheus".
@Suite(.timeLimit(.minutes(10))) struct PrometheusExampleTests {
    private let metrics = PrometheusMetrics(maximumSeries: 4)

    /// The lines about metrics with a prefix.
    private func lines(_ prefix: String) -> [String] {
        metrics.text().split(separator: "\n").map(String.init).filter {
            $0.hasPrefix(prefix) || $0.hasPrefix("# TYPE \(prefix)")
        }
    }

    @Test("Counters, meters and recorders without aggregation are written with their values")
    func numbersAreWritten() {
        let requests = Counter(
            label: "requests",
            dimensions: [("to", "b"), ("at", "a")],
            factory: metrics
        )
        requests.increment(by: 2)
        FloatingPointCounter(label: "work.total", factory: metrics).increment(by: 0.5)
        let active = Meter(label: "active:now", factory: metrics)
        active.increment(by: 3)
        active.decrement()
        Recorder(label: "9 lives", aggregate: false, factory: metrics).record(-1.5)
        #expect(
            metrics.text() == """
                # TYPE _9_lives gauge
                _9_lives -1.5
                # TYPE active:now gauge
                active:now 2
                # TYPE requests_total counter
                requests_total{at="a",to="b"} 2
                # TYPE work_total counter
                work_total 0.5
                # TYPE prometheus_refused_series_total counter
                prometheus_refused_series_total 0

                """
        )
    }

    @Test("A timer is a histogram in seconds whose buckets include the lower ones")
    func timerIsHistogram() {
        let timer = Timer(label: "wait", dimensions: [("to", "a")], factory: metrics)
        for milliseconds in [1, 5, 30, 20_000] { timer.recordMilliseconds(milliseconds) }
        let lines = lines("wait")
        #expect(lines.first == "# TYPE wait_seconds histogram")
        #expect(lines.contains(#"wait_seconds_bucket{to="a",le="0.005"} 2"#))
        #expect(lines.contains(#"wait_seconds_bucket{to="a",le="0.05"} 3"#))
        #expect(lines.contains(#"wait_seconds_bucket{to="a",le="10"} 3"#))
        #expect(lines.contains(#"wait_seconds_bucket{to="a",le="+Inf"} 4"#))
        #expect(lines.contains(#"wait_seconds_count{to="a"} 4"#))
        #expect(lines.contains { $0.hasPrefix(#"wait_seconds_sum{to="a"} 20.036"#) })
        // A type, 14 bounds and the infinite one, sum and count.
        #expect(lines.count == MetricsMiddleware.durationBuckets.count + 4)
    }

    @Test("Label values are escaped, and reserved or repeated label names don't break the text")
    func labelsAreEscaped() {
        let value = "a\"b\\c\nd"
        let dimensions = [("le", value), ("__x", "1"), ("a.b", "2"), ("a-b", "3"), ("0", "ü")]
        Counter(label: "", dimensions: dimensions, factory: metrics).increment()
        let labels = #"_0="ü",a_b="2",exported___x="1",exported_le="a\"b\\c\nd""#
        #expect(lines("__total") == ["# TYPE __total counter", "__total{\(labels)} 1"])
    }

    @Test("Metrics with the same name and labels share a value until the last one is destroyed")
    func equalMetricsShareValue() {
        let one = Counter(label: "hits", factory: metrics)
        let other = Counter(label: "hits", factory: metrics)
        one.increment()
        other.increment()
        #expect(lines("hits").last == "hits_total 2")
        one.destroy()
        #expect(lines("hits").last == "hits_total 2")
        other.destroy()
        #expect(lines("hits").isEmpty)
    }

    @Test("Metrics of two kinds with one name are written under two names")
    func kindsHaveNamesOfTheirOwn() {
        Meter(label: "size", factory: metrics).set(1)
        Recorder(label: "size", factory: metrics).record(300)
        #expect(lines("size ") == ["# TYPE size gauge", "size 1"])
        #expect(lines("size_histogram_bucket{le=\"1024\"}").last?.hasSuffix(" 1") == true)
        #expect(lines("size_histogram_sum").last == "size_histogram_sum 300")
    }

    @Test("Beyond the maximum, further series are counted and not stored")
    func seriesAreLimited() {
        for number in 0..<6 {
            Counter(label: "user", dimensions: [("id", "\(number)")], factory: metrics).increment()
        }
        #expect(lines("user_total{").count == 4)
        #expect(lines("prometheus_refused").last == "prometheus_refused_series_total 2")
    }

    @Test("The requests of a client are exported under OpenTelemetry's names")
    func requestsAreExported() async throws {
        let server = try LoopbackServer { _ in .text("hello", status: 404) }
        let text = try await ExportingMetrics.report(server.url)
        let labels = #"error_type="404",http_request_method="GET",http_response_status_code="404","#
        #expect(text.contains("http_client_request_duration_seconds_count{\(labels)"))
        #expect(text.contains("# TYPE http_client_active_requests gauge\n"))
        #expect(text.contains("# TYPE http_client_response_body_size histogram\n"))
        #expect(text.contains("# TYPE http_client_queue_duration_seconds histogram\n"))
    }
}
