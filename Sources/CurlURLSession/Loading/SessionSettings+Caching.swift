internal import Foundation
internal import HTTPTypes

extension SessionSettings {
    /// A plan's request as a cache has to know it: with all fields that it is sent with, as the engine is
    /// given them, and with a mark of credentials that go another way.
    func cachedRequest(of plan: LoadPlan, as outgoing: HTTPRequest) -> URLRequest {
        var request = plan.request
        let addsNothing =
            additionalFields.lines.isEmpty && plan.authorization == nil
            && !outgoing.headerFields.contains { $0.name == .cookie }
        if !addsNothing {
            request.state.headerFields = RequestHeaderFields(
                outgoing.headerFields.map { HeaderLine(name: $0.name.rawName, value: $0.value) }
            )
        }
        if let server = plan.authorization?.server, server.scheme != .basic {
            // What is sent differs from one request to the next; who sends it doesn't.
            request.setValue(
                "\(server.scheme) \(server.credential.user ?? "")",
                forHTTPHeaderField: "Authorization"
            )
        }
        return request
    }
}
