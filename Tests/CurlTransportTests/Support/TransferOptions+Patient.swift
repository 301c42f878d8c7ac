internal import CurlTransport

extension TransferOptions {
    /// The default options for hundreds of tests that share few processors: no connection may fail for
    /// want of time, even where a test itself holds it up.
    static var patient: TransferOptions {
        var options = TransferOptions()
        options.timeouts.connect = .seconds(60)
        return options
    }
}
