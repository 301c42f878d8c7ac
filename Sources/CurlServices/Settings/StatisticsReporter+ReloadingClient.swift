public import CoreMetrics
internal import CurlTransport

extension StatisticsReporter {
    /// Creates a reporter of a client that follows its configuration.
    ///
    /// After a change of limits it reports the new connections, without those of before that still
    /// have requests.
    ///
    /// - Parameters:
    ///   - name: The client's name: the dimension `client` of all meters. Default: none. Without
    ///     names, the reporters of several clients replace each other's values.
    ///   - interval: The time between two reports, at least a tenth of a second. Default: 10 seconds.
    ///   - factory: The backend. Default: that of `MetricsSystem`, which must have been bootstrapped
    ///     before the first report.
    public convenience init(
        _ client: ReloadingClient,
        name: String? = nil,
        every interval: Duration = .seconds(10),
        factory: (any MetricsFactory)? = nil
    ) {
        self.init(
            of: { await client.statistics() },
            name: name,
            every: interval,
            factory: factory
        )
    }
}
