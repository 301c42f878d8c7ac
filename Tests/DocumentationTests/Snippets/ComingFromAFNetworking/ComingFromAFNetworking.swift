internal import CurlNetworking
internal import Dispatch
internal import Foundation

/// What the page "Coming from AFNetworking" shows.
struct ComingFromAFNetworking: Sendable {
    let manager: HTTPSessionManager
    let print: Print
}

extension ComingFromAFNetworking {
    static func create() -> HTTPSessionManager {
        // snippet: ComingFromAFNetworking/create
        let manager = HTTPSessionManager(baseURL: URL(string: "https://api.example.com/v1"))
        manager.requestSerializer = JSONRequestSerializer()
        manager.requestSerializer.setValue("token", forHTTPHeaderField: "X-Token")
        manager.requestSerializer.timeoutInterval = 20
        manager.completionQueue = DispatchQueue(label: "answers")
        // end
        return manager
    }

    // MARK: Parameters and responses

    static func styles(_ manager: HTTPSessionManager) {
        // snippet: ComingFromAFNetworking/styles
        manager.requestSerializer.arrayEncoding = .noBrackets
        manager.requestSerializer.boolEncoding = .literal
        manager.requestSerializer.httpMethodsEncodingParametersInURI = [.get, .head]
        // end
    }

    static func accept(_ manager: HTTPSessionManager) {
        // snippet: ComingFromAFNetworking/accept
        let serializer = JSONResponseSerializer()
        serializer.removesKeysWithNullValues = true
        serializer.acceptableContentTypes = ["application/json", "text/plain"]
        serializer.contentTypeMatching = .patterns
        manager.responseSerializer = serializer
        // end
    }

    static func compound(_ manager: HTTPSessionManager) {
        // snippet: ComingFromAFNetworking/compound
        manager.responseSerializer = CompoundResponseSerializer(responseSerializers: [
            JSONResponseSerializer(), PropertyListResponseSerializer(),
        ])
        // end
    }

    func decoded() async throws {
        // snippet: ComingFromAFNetworking/decoded
        struct User: Codable, Sendable {
            let name: String
        }
        let users: [User] = try await manager.get("users", parameters: ["page": 2])
        // end
        print(users.map(\.name))
    }

    func errors() async {
        // snippet: ComingFromAFNetworking/errors
        do {
            try await manager.get("users/17")
        } catch {
            let failure = NetworkingError(error)
            switch failure.kind {
            case .unacceptableStatusCode(let code):
                let body = String(decoding: failure.responseData ?? Data(), as: UTF8.self)
                print("\(code): \(body)")
            case .timeout, .connectivity:
                print("try again later")
            default:
                print(error)
            }
        }
        // end
    }

    // MARK: Notifications and reachability

    func observe() -> any NSObjectProtocol {
        // snippet: ComingFromAFNetworking/observe
        let observer = NotificationCenter.default.addObserver(
            forName: .networkingTaskDidComplete,
            object: nil,
            queue: nil
        ) { notification in
            guard let task = notification.object as? URLSessionTask else { return }
            let error = notification.userInfo?[NetworkingTaskDidCompleteErrorKey] as? NSError
            print("\(task.taskIdentifier): \(error?.localizedDescription ?? "no error")")
        }
        // end
        return observer
    }

    func reachability() -> NetworkReachabilityManager {
        // snippet: ComingFromAFNetworking/reachability
        let reachability = NetworkReachabilityManager.shared()
        reachability.setReachabilityStatusChange { status in
            print(status.localizedDescription)
        }
        reachability.startMonitoring()
        // end
        return reachability
    }
}
