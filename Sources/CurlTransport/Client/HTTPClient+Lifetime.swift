extension HTTPClient {
    /// Shuts down the client: transfers complete for some time, then the rest is cancelled.
    ///
    /// New transfers fail with ``TransportError/Code/shutdown``. If the task is cancelled, the rest
    /// is cancelled at once. Returns when the client's threads have ended. The shared client
    /// ignores it.
    ///
    /// - Parameter grace: The time for transfers in flight and queued. A response that isn't read
    ///   takes all of it.
    public func shutdown(within grace: Duration) async {
        await transport.shutdown(within: grace)
    }

    /// The transport of the client's requests.
    package var transport: Transport { core.transport }

    /// Runs `body` with a client, which is shut down afterwards.
    ///
    /// ```swift
    /// let page = try await HTTPClient.withClient { client in
    ///     let response = try await client.send(HTTPRequest(url: "https://example.org/"))
    ///     return try await response.body.collect(upTo: 1 << 20)
    /// }
    /// ```
    ///
    /// Read bodies inside: a response that `body` returns ends with the client. If `body` throws,
    /// or if the task is cancelled, transfers in flight are cancelled.
    ///
    /// - Parameters:
    ///   - hooks: called during the transfers.
    ///   - middleware: called around each request; the first is the outermost. Default: none.
    ///   - grace: The time that transfers have after `body` has returned. Default: 30 seconds.
    /// - Throws: what `body` throws; a ``TransportError`` if the options can't be applied.
    public static func withClient<Value>(
        configuration: TransportConfiguration = TransportConfiguration(),
        options: TransferOptions = TransferOptions(),
        hooks: ClientHooks = ClientHooks(),
        middleware: [any HTTPMiddleware] = [],
        grace: Duration = .seconds(30),
        _ body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        let client = try HTTPClient(
            configuration: configuration,
            options: options,
            hooks: hooks,
            middleware: middleware
        )
        do {
            let value = try await body(client)
            await client.shutdown(within: grace)
            return value
        } catch {
            await client.shutdown(.cancel)
            throw error
        }
    }
}

extension Transport {
    /// Shuts down: transfers complete for some time, then the rest is cancelled.
    ///
    /// See ``HTTPClient/shutdown(within:)``.
    package func shutdown(within grace: Duration) async {
        let limit = Task {
            do {
                // The clock can't add much longer times, such as `Int64.max` seconds.
                try await Task.sleep(for: min(grace, .seconds(1_000_000_000)))
            } catch {
                return
            }
            beginShutdown(.cancel)
        }
        await withTaskCancellationHandler {
            await shutdown(.finish)
        } onCancel: {
            beginShutdown(.cancel)
        }
        limit.cancel()
    }
}
