internal import CurlTransport

extension Rig {
    /// Starts a byte connection to a port of this machine.
    @discardableResult
    func connect(
        _ port: Int,
        host: String = "127.0.0.1",
        isSecure: Bool = false,
        applicationProtocol: ByteConnectionRequest.ApplicationProtocol = .unnamed,
        sendBufferSize: Int = 256 * 1024,
        delegate: ByteRecorder,
        _ configure: (inout TransferOptions) -> Void = { _ in }
    ) throws -> ByteConnection {
        var options = TransferOptions.patient
        configure(&options)
        var request = ByteConnectionRequest(
            authority: "\(host):\(port)",
            isSecure: isSecure,
            applicationProtocol: applicationProtocol,
            options: try PreparedOptions(options)
        )
        request.sendBufferSize = sendBufferSize
        return transport.connect(request, delegate: delegate)
    }
}
