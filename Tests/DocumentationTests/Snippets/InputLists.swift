internal import BatchFetch
internal import HTTPTypes

/// What the page "Input lists" shows.
struct InputLists: Sendable {
    let batch: Batch
    let print: Print

    func lists(_ lists: [String]) async throws {
        // snippet: InputLists/lists
        var input = BatchInput.lists(lists)
        input.options.deduplication = .normalised
        input.options.shard = InputShard("0/8")
        let run = try batch.start(input)
        // end
        for await result in run { print("\(result.line) \(result.isFetched)") }
    }

    func requests(_ url: String) async throws {
        // snippet: InputLists/requests
        var request = BatchRequest(url: url)
        request.method = .post
        request.headerFields[.contentType] = "application/json"
        request.body = .bytes(Array(#"{"page": 2}"#.utf8))
        request.tag = "page 2"
        let run = try batch.start(.requests([request]))
        // end
        for await result in run { print(result.tag ?? "no tag") }
    }

    func plan(_ list: String) async throws {
        // snippet: InputLists/plan
        for await result in try batch.plan(.file(list)) {
            print("\(result.line) \(result.path ?? result.failure?.message ?? "-")")
        }
        // end
    }
}
