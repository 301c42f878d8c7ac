internal import CurlTransport
internal import Foundation

extension SessionCore {
    /// What connects a task that loads nothing.
    func loader(
        for plan: LoadPlan,
        _ extra: TaskExtra,
        timeLimit: Duration?,
        asksForTrust: Bool,
        client: TaskCore
    ) throws(TransportError) -> any Loader {
        switch extra {
        case .webSocket(let webSocket):
            let request = try webSocketRequest(
                for: plan,
                timeLimit: timeLimit,
                asksForTrust: asksForTrust
            )
            return WebSocketLoader(
                request,
                over: webSocket.connection,
                transport: try transport(),
                client: client
            )
        case .stream(let stream):
            let request = try streamRequest(
                for: plan,
                stream,
                timeLimit: timeLimit,
                asksForTrust: asksForTrust
            )
            return StreamLoader(
                request,
                over: stream.connection,
                transport: try transport(),
                client: client
            )
        }
    }
}
