// snippet: README/manager
import CurlNetworking
import Foundation

struct User: Codable, Sendable {
    let name: String
}

// hide
/// The example of managers in the README.
struct ReadmeManager: Sendable {
    let print: Print

    func use(_ url: URL, _ photo: URL) async throws {
        // show
        let manager = HTTPSessionManager(baseURL: url)
        let users: [User] = try await manager.get("users", parameters: ["page": 2])
        try await manager.post("photos", parameters: ["album": 3]) { form in
            try form.appendPart(withFileURL: photo, name: "photo")  // read while it is sent
        }
        // end
        print(users.map(\.name))
    }
}
