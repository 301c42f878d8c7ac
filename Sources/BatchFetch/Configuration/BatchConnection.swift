internal import CurlTransport

/// How a run connects to servers.
///
/// The settings apply to the requests for `robots.txt`, too.
public struct BatchConnection: Sendable, Hashable {
    /// The proxies; ``BatchProxy/none`` by default.
    public var proxy = BatchProxy.none

    /// Creates the default settings: direct connections.
    public init() {}

    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid value.
    func validate() throws(BatchFailure) {
        try proxy.check("connection.proxy")
    }

    /// Applies the settings to a transport's options.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid value.
    func apply(to options: inout TransferOptions) throws(BatchFailure) {
        options.proxy = try proxy.policy("connection.proxy")
    }
}
