// snippet: README/manager
// Package.swift: .product(name: "CurlNetworking", package: "CurlNetworking")
import CurlNetworking
import Foundation

struct User: Codable, Sendable {
    let name: String
}

// hide
/// What the read-me shows of the managers.
struct ReadmeManager: Sendable {
    let print: Print

    func use(_ url: URL, _ photo: URL) async throws {
        // show
        let manager = HTTPSessionManager(baseURL: url)

        // As in AFNetworking: parameters, success and failure, on a queue of your own
        manager.completionQueue = .global()
        manager.get("users", parameters: ["page": 2]) { task, users in
            print(users ?? "no users")
        } failure: { task, error in
            print(error)
        }

        // Or in a Swift task, which needs no queue, and into types of your own
        let users: [User] = try await manager.get("users", parameters: ["page": 2])
        try await manager.post("photos", parameters: ["album": 3]) { form in
            try form.appendPart(withFileURL: photo, name: "photo")  // read while it is sent
        }
        // end
        print(users.map(\.name))
    }
}
