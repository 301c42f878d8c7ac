internal import CurlTransport

extension TransferOptions {
    /// Default options with long timeouts, for a busy test machine.
    ///
    /// Hundreds of tests share few processors: no transfer may time out, even if its test delays
    /// it.
    static var patient: TransferOptions {
        var options = TransferOptions()
        options.timeouts.connect = .seconds(60)
        options.timeouts.idle = .seconds(300)
        return options
    }
}
