public import CoreMetrics
internal import CurlTransport

extension StatisticsReporter {
    /// Creates a reporter of a client that follows its configuration.
    ///
    /// After a change of limits it reports the new connections, without those of before that still
    /// have requests.
    ///
    /// - Parameters:
    ///   - interval: The time between two reports, at least a tenth of a second. Default: 10 seconds.
    ///   - factory: The backend. Default: that of `MetricsSystem`, which must have been bootstrapped
    ///     before the first report.
    public convenience init(
        _ client: ReloadingClient,
        every interval: Duration = .seconds(10),
        factory: (any MetricsFactory)? = nil
    ) {
        self.init(of: { await client.statistics() }, every: interval, factory: factory)
    }
}
