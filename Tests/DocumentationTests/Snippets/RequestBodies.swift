internal import CurlTransport
internal import HTTPTypes

/// What the page "Request bodies" shows.
struct RequestBodies: Sendable {
    let client: HTTPClient
    let print: Print

    func text(_ url: String) async throws {
        // snippet: RequestBodies/text
        var request = try HTTPRequest(method: .post, url: url)
        request.headerFields[.contentType] = "application/json"
        let response = try await client.send(request, body: .text(#"{"name": "Grace"}"#))
        // end
        print(response.statusCode)
    }

    func form(_ url: String) async throws {
        // snippet: RequestBodies/form
        let form = RequestBody.form(["grant_type": "client_credentials", "scope": "read write"])
        let response = try await client.send(HTTPRequest(method: .post, url: url), body: form)
        // end
        print(response.statusCode)
    }

    func multipart(_ url: String, _ path: String, _ entries: AsyncStream<[UInt8]>) async throws {
        // snippet: RequestBodies/multipart
        let form = RequestBody.multipart([
            .field("title", "Holidays"),
            .file("picture", path: path, contentType: "image/jpeg"),
            MultipartPart("log", fileName: "log.txt", body: .stream(entries)),
        ])
        let response = try await client.send(HTTPRequest(method: .post, url: url), body: form)
        // end
        print(response.statusCode)
    }

    func file(_ url: String, _ path: String) async throws {
        // snippet: RequestBodies/file
        let request = try HTTPRequest(method: .put, url: url)
        let response = try await client.send(request, body: .file(path: path))
        // end
        print(response.statusCode)
    }

    func stream(_ source: String, _ target: String) async throws {
        // snippet: RequestBodies/stream
        let original = try await client.send(HTTPRequest(url: source))
        let copy = try await client.send(
            HTTPRequest(method: .put, url: target),
            body: .stream(original.body)
        )
        // end
        print(copy.statusCode)
    }

    func restartable(_ request: HTTPRequest, _ table: Table) async throws {
        // snippet: RequestBodies/restartable
        let rows = RequestBody.stream(restartable: { table.rows() })
        let response = try await client.send(request, body: rows)
        // end
        print(response.statusCode)
    }

    /// Content that can be produced any number of times.
    struct Table: Sendable {
        func rows() -> AsyncStream<[UInt8]> {
            AsyncStream { continuation in
                for number in 1...3 { continuation.yield(Array("row \(number)\n".utf8)) }
                continuation.finish()
            }
        }
    }
}
