internal import Foundation
internal import Synchronization
internal import TestSupport

/// Stores notes, knows one user and keeps no login state.
final class NotesService: Sendable {
    private struct Note: Codable {
        var id: Int?
        var title: String
        var isDone: Bool
    }

    private struct NoteList: Codable {
        let query: String
        let notes: [Note]
    }

    private let notes = Mutex<[Int: Note]>([
        1: Note(id: 1, title: "Milk", isDone: false),
        2: Note(id: 2, title: "Bread", isDone: true),
    ])

    func reply(to request: RecordedRequest) -> Reply? {
        let parts = request.path.split(separator: "/").map(String.init)
        switch parts.first {
        case "notes": return parts.count == 1 ? all(request) : one(request, Int(parts[1]) ?? 0)
        case "numbered":
            let number = parts.last.flatMap { Int($0) } ?? -1
            return .json(Note(id: number, title: "Numbered", isDone: false))
        case "feed":
            if request.header("If-None-Match") == "\"v1\"" {
                return Reply.status(304).header("ETag", "\"v1\"")
            }
            return all(request).header("ETag", "\"v1\"")
        case "login": return login(request)
        case "me": return me(request)
        case "private": return privately(request)
        default: return nil
        }
    }

    private func all(_ request: RecordedRequest) -> Reply {
        if request.method == "POST" { return create(request) }
        let query = request.target.split(separator: "?").dropFirst().first.map(String.init) ?? ""
        let sorted = notes.withLock { notes in notes.values.sorted { $0.title > $1.title } }
        return .json(NoteList(query: query, notes: sorted))
    }

    private func note(in request: RecordedRequest) -> Note? {
        guard request.header("Content-Type") == "application/json" else { return nil }
        return try? JSONDecoder().decode(Note.self, from: Data(request.body))
    }

    private func create(_ request: RecordedRequest) -> Reply {
        guard var note = note(in: request) else { return .status(415) }
        let id = notes.withLock { notes in
            let id = (notes.keys.max() ?? 0) + 1
            note.id = id
            notes[id] = note
            return id
        }
        return .json(note, status: 201).header("Location", "/notes/\(id)")
    }

    private func one(_ request: RecordedRequest, _ id: Int) -> Reply {
        switch request.method {
        case "GET":
            guard let note = notes.withLock({ $0[id] }) else { return .status(404) }
            return .json(note)
        case "PUT":
            guard let note = note(in: request) else { return .status(415) }
            notes.withLock { $0[id] = note }
            return .json(note)
        case "DELETE":
            notes.withLock { $0[id] = nil }
            return .status(204)
        default:
            return .status(405)
        }
    }

    private func login(_ request: RecordedRequest) -> Reply {
        guard request.bodyText == "user=ada&password=lovelace" else { return .status(403) }
        return Reply(headers: [
            ("Set-Cookie", "session=s3cret; Path=/; HttpOnly"),
            ("Set-Cookie", "theme=dark; Path=/settings"),
        ])
    }

    private func me(_ request: RecordedRequest) -> Reply {
        let cookies = (request.header("Cookie") ?? "").components(separatedBy: "; ").sorted()
        guard cookies.contains("session=s3cret") else { return .status(401) }
        return .json(["name": "ada", "cookies": cookies.joined(separator: "; ")])
    }

    private func privately(_ request: RecordedRequest) -> Reply {
        let expected = "Basic " + Data("ada:lovelace".utf8).base64EncodedString()
        guard request.header("Authorization") == expected else {
            return Reply.text("no", status: 401)
                .header("WWW-Authenticate", "Basic realm=\"notes\"")
        }
        return .json(["name": "ada"])
    }
}
