internal import CurlTransport
internal import HTTPTypes

/// What the page "Response bodies" shows.
struct ResponseBodies: Sendable {
    let client: HTTPClient
    let print: Print

    func chunks(_ url: String) async throws {
        // snippet: ResponseBodies/chunks
        let response = try await client.send(HTTPRequest(url: url))
        var count = 0
        for try await chunk in response.body {
            count += chunk.count
        }
        print("\(response.status.code): \(count) bytes")
        // end
    }

    func lines(_ url: String) async throws {
        // snippet: ResponseBodies/lines
        let response = try await client.send(HTTPRequest(url: url))
        for try await line in response.body.lines {
            print(line)
        }
        // end
    }

    func events(_ url: String) async throws {
        // snippet: ResponseBodies/events
        let stream = try await client.serverSentEvents(for: HTTPRequest(url: url))
        for try await event in stream {
            print("\(event.event): \(event.data)")
        }
        // end
    }

    func post(_ url: String, _ question: String) async throws {
        // snippet: ResponseBodies/post
        do {
            let stream = try await client.serverSentEvents(
                for: HTTPRequest(method: .post, url: url),
                body: .text(question),
                context: RequestContext(idempotency: .yes)
            )
            for try await event in stream where event.data != "[DONE]" {
                print(event.data)
            }
        } catch ServerSentEventError.refused(let response) {
            print(try await response.body.collect(upTo: 64 << 10))
        }
        // end
    }

    func file(_ url: String, _ path: String) async throws {
        // snippet: ResponseBodies/file
        let response = try await client.download(HTTPRequest(url: url), to: path)
        print("\(response.status.code): the content is in \(path)")
        // end
    }

    func resumable(_ url: String, _ path: String) async throws {
        // snippet: ResponseBodies/resumable
        let request = try HTTPRequest(url: url)
        let result = try await client.resumableDownload(request, to: path) { progress in
            if let fraction = progress.fraction { print("\(Int(fraction * 100)) %") }
        }
        print(result.isComplete ? "done" : "\(result.response.status.code)")
        // end
    }

    func limit(_ url: String) async throws {
        // snippet: ResponseBodies/limit
        var options = client.options
        options.decompressionLimit = DecompressionLimit(bytes: 8 << 20, ratio: 50)
        let response = try await client.send(HTTPRequest(url: url), options: options)
        // end
        print(response.statusCode)
    }
}
