// snippet: README/session
import CurlURLSession  // instead of FoundationNetworking
import Foundation

// hide
/// The example of URLSession in the README.
struct ReadmeURLSession: Sendable {
    let print: Print

    func use(_ url: URL, _ events: URL) async throws {
        // show
        let (data, response) = try await URLSession.shared.data(from: url)
        for try await line in try await URLSession.shared.bytes(from: events).0.lines {
            print(line)
        }
        // end
        print("\(data.count) \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }
}
