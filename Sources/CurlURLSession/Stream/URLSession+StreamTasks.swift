internal import Foundation
internal import Synchronization

extension URLSession {
    func makeStreamTask(_ hostName: String, _ port: Int) -> URLSessionStreamTask {
        var parts = URLComponents()
        parts.scheme = "tcp"
        let isPort = (1...65_535).contains(port)
        if isPort { parts.port = port }
        let host =
            hostName.contains(":") && !hostName.hasPrefix("[") ? "[\(hostName)]" : hostName
        parts.host = host
        let url = parts.url
        let core = makeCore(url.map { URLRequest(url: $0) }, .stream, .none, .delegate, nil)
        core.state.withLock { state in
            state.stream = TaskStream(events: self.core.events, host: host, port: port)
            if hostName.isEmpty || !isPort || url == nil { state.obstacle = .invalidEndpoint }
        }
        let task = URLSessionStreamTask(core: core)
        register(core, as: task)
        return task
    }
}
