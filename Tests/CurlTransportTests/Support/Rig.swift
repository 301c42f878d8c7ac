internal import CurlTransport
internal import HTTPTypes

/// A test's own transport, with shortcuts.
struct Rig: Sendable {
    let transport: Transport

    init(_ configure: (inout TransportConfiguration) -> Void = { _ in }) throws {
        var configuration = TransportConfiguration()
        // On a busy machine a test's next request may come late.
        configuration.idleConnectionLifetime = .seconds(3600)
        configure(&configuration)
        transport = try Transport(configuration: configuration)
    }

    @discardableResult
    func start(
        _ url: String,
        method: HTTPRequest.Method = .get,
        fields: HTTPFields = [:],
        body: RequestBody = .none,
        delegate: RecordingDelegate,
        _ configure: (inout TransferOptions) -> Void = { _ in }
    ) throws -> TransferHandle {
        var options = TransferOptions.patient
        configure(&options)
        let request = TransferRequest(
            try HTTPRequest(method: method, url: url, headerFields: fields),
            body: body,
            options: try PreparedOptions(options)
        )
        return transport.start(request, delegate: delegate)
    }

    /// Starts a transfer, waits for its end and throws its error.
    @discardableResult
    func fetch(
        _ url: String,
        method: HTTPRequest.Method = .get,
        fields: HTTPFields = [:],
        body: RequestBody = .none,
        delegate: RecordingDelegate = RecordingDelegate(),
        _ configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> RecordingDelegate {
        try start(
            url,
            method: method,
            fields: fields,
            body: body,
            delegate: delegate,
            configure
        )
        if let error = try await delegate.completion() { throw error }
        return delegate
    }
}
