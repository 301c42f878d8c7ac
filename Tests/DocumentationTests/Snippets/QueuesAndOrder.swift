internal import CurlNetworking
internal import Dispatch
internal import Foundation

/// What the page "Queues and order" shows.
struct QueuesAndOrder: Sendable {
    let manager: HTTPSessionManager
    let print: Print

    func completionQueue() {
        // snippet: QueuesAndOrder/completionQueue
        manager.completionQueue = DispatchQueue(label: "answers")
        manager.get("users") { task, users in
            print(users ?? "no users")
        } failure: { task, error in
            print(error)
        }
        // end
    }

    func progress() {
        // snippet: QueuesAndOrder/progress
        manager.get("photo") { progress in
            print(progress.fractionCompleted)
        } success: { task, photo in
            print("it is there")
        } failure: { task, error in
            print(error)
        }
        // end
    }

    func tasks() async throws {
        // snippet: QueuesAndOrder/tasks
        try await withThrowingTaskGroup { group in
            for id in 1...3 {
                group.addTask { try await manager.get("users/\(id)") }
            }
            for try await user in group {
                print(user ?? "no user")
            }
        }
        // end
    }

    func group() {
        // snippet: QueuesAndOrder/group
        let group = DispatchGroup()
        for id in 1...3 {
            group.enter()
            manager.get("users/\(id)") { task, user in
                print(user ?? "no user")
                group.leave()
            } failure: { task, error in
                print(error)
                group.leave()
            }
        }
        group.notify(queue: .global()) { print("all are there") }
        // end
    }

    func serializer(_ request: URLRequest) {
        // snippet: QueuesAndOrder/serializer
        let task = manager.dataTask(with: request) { response, text, error in
            print(text ?? error ?? "nothing")
        }
        manager.setResponseSerializer(StringResponseSerializer(), for: task)
        task.resume()
        // end
    }
}
