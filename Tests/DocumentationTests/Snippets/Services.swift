internal import CurlNetworking
internal import Foundation

/// What the page "Services" shows.
struct Services: Sendable {
    let print: Print

    static func manager(_ url: URL) -> HTTPSessionManager {
        // snippet: Services/manager
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForConnection = 2
        configuration.timeoutIntervalForRequest = 10
        configuration.timeoutIntervalForResource = 30
        configuration.httpMaximumConnectionsPerHost = 64
        configuration.urlCache = nil
        let manager = HTTPSessionManager(baseURL: url, sessionConfiguration: configuration)
        manager.completionQueue = .global()
        // end
        return manager
    }

    func shutDown(_ manager: HTTPSessionManager) async {
        // snippet: Services/shutDown
        await withCheckedContinuation { continuation in
            manager.setSessionDidBecomeInvalid { session, error in
                continuation.resume()
            }
            manager.invalidateSessionCancelingTasks(false, resetSession: false)
        }
        // end
        print("shut down")
    }

    func observe(_ manager: HTTPSessionManager) {
        // snippet: Services/observe
        manager.setTaskDidFinishCollectingMetrics { session, task, metrics in
            guard let last = metrics.transactionMetrics.last else { return }
            let connection = last.isReusedConnection ? "reused" : "new"
            let time = metrics.taskInterval.duration
            print("\(task.originalRequest?.url?.path ?? "-") \(connection) \(time) s")
        }
        // end
    }

    func all(_ manager: HTTPSessionManager) async throws {
        // snippet: Services/all
        try await manager.waitUntilAllTasksFinished()
        try await manager.cancelAllRequests()
        // end
    }

    func command(_ manager: HTTPSessionManager, _ request: URLRequest) {
        // snippet: Services/command
        print(manager.cURLDescription(of: request))
        print(manager.cURLDescription(of: request, options: .init(includesSecrets: true)))
        // end
    }

    func answer(_ manager: HTTPSessionManager) async {
        // snippet: Services/answer
        let answer = await manager.dataResponse(
            urlString: "users/404",
            serializer: DecodableResponseSerializer<[String]>()
        )
        print("\(answer.response?.statusCode ?? 0), \(answer.data?.count ?? 0) bytes")
        print(answer.error?.errorDescription ?? "\(answer.value?.count ?? 0) users")
        // end
    }

    func inFlight(_ manager: HTTPSessionManager) {
        // snippet: Services/inFlight
        print("\(manager.tasks.count) requests in flight")
        // end
    }
}
