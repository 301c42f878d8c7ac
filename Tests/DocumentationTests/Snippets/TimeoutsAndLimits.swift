internal import CurlTransport
internal import HTTPTypes

/// What the page "Timeouts and limits" shows.
struct TimeoutsAndLimits: Sendable {
    let print: Print

    static func client() throws -> HTTPClient {
        // snippet: TimeoutsAndLimits/client
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 64
        configuration.maximumQueued = 1_000
        var options = TransferOptions()
        options.timeouts = Timeouts(
            connect: .seconds(2),
            idle: .seconds(10),
            total: .seconds(30),
            queue: .seconds(1)
        )
        let client = try HTTPClient(configuration: configuration, options: options)
        // end
        return client
    }

    func deadline(_ client: HTTPClient, _ request: HTTPRequest) async {
        // snippet: TimeoutsAndLimits/deadline
        let deadline = ContinuousClock.now.advanced(by: .milliseconds(800))
        do throws(TransportError) {
            let response = try await client.send(request, deadline: deadline)
            print(response.status.code)
        } catch {
            let isUnprocessed = error.retry == .always
            print("\(error.code) in the phase \(error.phase), unprocessed: \(isUnprocessed)")
        }
        // end
    }
}
