import Foundation

/// A client of a service of notes.
enum JSONClientScript {
    static let steps =
        [
            Step("query", query),
            Step("life of a note", lifeOfANote),
            Step("statuses", statuses),
            Step("not JSON", notJSON),
            Step("headers", headers),
            Step("conditional", conditional),
            Step("many", many),
        ] + accessSteps + taskSteps

    private static func query(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        let list = try await client.get(
            "notes",
            query: [
                URLQueryItem(name: "tag", value: "work"), URLQueryItem(name: "q", value: "a b&c"),
            ],
            as: NoteList.self
        )
        stage.log("query: \(list.query)")
        for note in list.notes { stage.log("\(note.id ?? 0): \(note.title)") }
    }

    private static func lifeOfANote(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        let eggs = Note(id: nil, title: "Eggs")
        let created = try await client.send(
            client.request("POST", "notes", body: eggs),
            as: Note.self
        )
        let path = created.header("location") ?? ""
        stage.log("created \(created.response.statusCode) at \(path): \(created.value.title)")
        var note = try await client.get(path, as: Note.self)
        stage.log("read: \(note == created.value)")
        note.title = "Eggs and ham"
        note.isDone = true
        let changed = try await client.send(
            client.request("PUT", path, body: note),
            as: Note.self
        )
        stage.log("changed \(changed.response.statusCode): \(changed.value == note)")
        let removed = try await client.send(client.request("DELETE", path), as: Nothing.self)
        stage.log("removed \(removed.response.statusCode)")
        do {
            _ = try await client.get(path, as: Note.self)
            stage.log("still there")
        } catch APIError.notFound {
            stage.log("not found")
        }
    }

    private static func statuses(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        for status in [400, 401, 403, 404, 409, 422, 429, 500, 503] {
            do {
                _ = try await client.get("status/\(status)", as: Nothing.self)
                stage.log("\(status): none")
            } catch {
                stage.log("\(status): \(stage.text(of: error))")
            }
        }
    }

    private static func notJSON(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        do {
            _ = try await client.get("text", as: Note.self)
        } catch APIError.undecodable {
            stage.log("undecodable")
        }
        let (data, response) = try await client.session.data(from: stage.url("/text"))
        stage.log("\(String(decoding: data, as: UTF8.self)): \(data.count) bytes")
        stage.log("type \(response.mimeType ?? "none") in \(response.textEncodingName ?? "none")")
        stage.log("name \(response.suggestedFilename ?? "none")")
    }

    private static func headers(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        var request = try client.request("GET", "headers")
        request.setValue("application/vnd.notes+json", forHTTPHeaderField: "Accept")
        request.setValue("7", forHTTPHeaderField: "X-Trace")
        request.addValue("a", forHTTPHeaderField: "X-Tag")
        request.addValue("b", forHTTPHeaderField: "x-tag")
        let answer = try await client.send(request, as: [String: String].self)
        for (name, value) in answer.value.sorted(by: { $0.key < $1.key }) {
            stage.log("sent \(name): \(value)")
        }
        for name in ["x-limit", "X-LIMIT", "X-Multi", "X-None"] {
            stage.log("got \(name): \(answer.header(name) ?? "nothing")")
        }
        let all = answer.response.allHeaderFields
        stage.log("in the dictionary: \(all["X-Limit"] as? String ?? "nothing")")
    }

    private static func conditional(_ stage: Stage) async throws {
        let client = APIClient(stage)
        defer { client.session.finishTasksAndInvalidate() }
        var request = try client.request("GET", "feed")
        let first = try await client.send(request, as: NoteList.self)
        let tag = first.header("ETag")
        stage.log("\(first.value.notes.count) notes, tag \(tag ?? "none")")
        request.setValue(tag, forHTTPHeaderField: "If-None-Match")
        do {
            _ = try await client.send(request, as: NoteList.self)
            stage.log("once more")
        } catch APIError.notModified {
            stage.log("not modified")
        }
    }

    private static func many(_ stage: Stage) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 4
        let client = APIClient(stage, configuration: configuration)
        defer { client.session.finishTasksAndInvalidate() }
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let note = try await client.get("numbered/\(number)", as: Note.self)
                    return note.id == number
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        stage.log("\(right) of 40")
    }
}
