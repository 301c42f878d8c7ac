internal import CurlNetworking
internal import Foundation

/// What the catalogue's first page shows.
struct ManagerPage: Sendable {
    let print: Print

    func use(_ url: URL) async throws {
        // snippet: CurlNetworking/manager
        let manager = HTTPSessionManager(baseURL: url)
        let users = try await manager.get("users", parameters: ["page": 2])
        // end
        print(users ?? "no users")
    }
}
