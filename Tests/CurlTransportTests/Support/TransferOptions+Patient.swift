internal import CurlTransport

extension TransferOptions {
    /// The default options for hundreds of tests that share few processors: no transfer may fail for
    /// want of time, even where a test itself holds it up.
    static var patient: TransferOptions {
        var options = TransferOptions()
        options.timeouts.connect = .seconds(60)
        options.timeouts.idle = .seconds(300)
        return options
    }
}
