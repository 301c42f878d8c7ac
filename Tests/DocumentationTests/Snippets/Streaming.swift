internal import CurlNetworking
internal import Foundation

/// A line of what the examples read.
struct Change: Decodable, Sendable {
    let id: Int
    let name: String
}

/// What the page "Streaming" shows.
struct Streaming: Sendable {
    let manager: HTTPSessionManager
    let print: Print

    func lines() async throws {
        // snippet: Streaming/lines
        let log = try await manager.stream(urlString: "pages/log", parameters: ["follow": true])
        for try await line in log.lines() {
            print(line)
        }
        // end
    }

    func values() async throws {
        // snippet: Streaming/values
        let changes = try await manager.stream(urlString: "changes")
        for try await change in changes.values(of: Change.self) {
            print("\(change.id) is \(change.name)")
        }
        // end
    }

    func pieces(_ file: FileHandle) async throws {
        // snippet: Streaming/pieces
        let film = try await manager.stream(urlString: "pages/film")
        print(film.response.mimeType ?? "no type")
        for try await piece in film {
            try file.write(contentsOf: piece)
        }
        // end
    }

    func events() async throws {
        // snippet: Streaming/events
        let events = try await manager.events("events", reconnection: .init())
        for try await event in events {
            print("\(event.event): \(event.data)")
        }
        // end
    }

    func handlers(_ request: URLRequest) {
        // snippet: Streaming/handlers
        let task = manager.dataTask(
            with: request,
            onResponse: { response in
                response.expectedContentLength < 1 << 30 ? .allow : .cancel
            },
            onData: { piece in
                print(piece.count)
            },
            completionHandler: { response, object, error in
                print(error ?? "done")
            }
        )
        task.resume()
        // end
    }
}
