internal import Foundation
internal import Synchronization

extension URLSession {
    func makeWebSocketTask(_ request: URLRequest) -> URLSessionWebSocketTask {
        let core = makeCore(request, .webSocket, .none, .delegate, nil)
        core.state.withLock { $0.webSocket = TaskWebSocket(events: self.core.events) }
        let task = URLSessionWebSocketTask(core: core)
        register(core, as: task)
        return task
    }
}
