internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

/// Calls as Swift programs with AFNetworking spell them. Most of these tests fail to compile
/// without what they show.
@Suite(.timeLimit(.minutes(10))) struct SwiftSpellingTests {
    private let ends = EventRecorder<VerbOutcome>()

    /// Returns a server that replies with method and field `X-One`.
    private static func echo() throws -> LoopbackServer {
        try LoopbackServer { request in
            .text("\(request.method) \(request.header("X-One") ?? "-")")
        }
    }

    private func text(_ object: (any Sendable)?) -> String {
        String(decoding: object as? Data ?? Data(), as: UTF8.self)
    }

    // MARK: Serializers

    @Test("H-04: Acceptable types and statuses of a manager's serializer are set without a cast")
    func acceptableValuesNeedNoCast() throws {
        let manager = HTTPSessionManager(baseURL: nil)
        manager.responseSerializer.acceptableContentTypes = ["text/plain"]
        manager.responseSerializer.acceptableContentTypes?.insert("text/html")
        manager.responseSerializer.acceptableStatusCodes = IndexSet(integer: 404)
        let serializer = try #require(manager.responseSerializer as? JSONResponseSerializer)
        #expect(serializer.acceptableContentTypes == ["text/plain", "text/html"])
        #expect(serializer.acceptableStatusCodes == IndexSet(integer: 404))
        #expect(manager.responseSerializer.acceptableContentTypes?.count == 2)
        // A serializer of another class has no such values.
        manager.responseSerializer = ScriptedSerializer { _, data in (data, nil) }
        manager.responseSerializer.acceptableContentTypes = ["text/plain"]
        #expect(manager.responseSerializer.acceptableContentTypes == nil)
        #expect(manager.responseSerializer.acceptableStatusCodes == nil)
    }

    // MARK: Arguments

    @Test("H-12: Headers may be a dictionary in a variable, in each method with handlers")
    func headersMayBeADictionary() async throws {
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let headers: [String: String] = ["X-One": "1"]
        let (success, failure) = (ends.success, ends.failure)
        manager.get("p", headers: headers, success: success, failure: failure)
        manager.post("p", headers: headers, success: success, failure: failure)
        manager.put("p", headers: headers, success: success, failure: failure)
        manager.patch("p", headers: headers, success: success, failure: failure)
        manager.delete("p", headers: headers, success: success, failure: failure)
        manager.post(
            "p",
            headers: headers,
            constructingBodyWith: { $0.appendPart(withForm: Data("y".utf8), name: "x") },
            success: success,
            failure: failure
        )
        manager.head("p", headers: headers, success: nil, failure: failure)
        let task = manager.dataTask(
            withHTTPMethod: "REPORT",
            urlString: "p",
            headers: headers,
            success: success,
            failure: failure
        )
        task?.resume()
        let texts = Set(try await ends.wait(count: 7).compactMap(\.text))
        #expect(texts == ["GET 1", "POST 1", "PUT 1", "PATCH 1", "DELETE 1", "REPORT 1"])
        try await server.requests(count: 8)
        #expect(server.requests.allSatisfy { $0.header("X-One") == "1" })
        // Without a dictionary, and with literals, as before.
        let none: [String: String]? = nil
        #expect(text(try await manager.get("p", headers: none)) == "GET -")
        #expect(text(try await manager.get("p", headers: ["X-One": "2"])) == "GET 2")
        #expect(text(try await manager.get("p", headers: nil)) == "GET -")
    }

    @Test("H-12, A-26: Headers may be a dictionary in a variable, in asynchronous methods")
    func headersMayBeADictionaryInAsyncMethods() async throws {
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let headers: [String: String] = ["X-One": "1"]
        #expect(text(try await manager.get("p", headers: headers)) == "GET 1")
        #expect(text(try await manager.post("p", headers: headers)) == "POST 1")
        #expect(text(try await manager.put("p", headers: headers)) == "PUT 1")
        #expect(text(try await manager.patch("p", headers: headers)) == "PATCH 1")
        #expect(text(try await manager.delete("p", headers: headers)) == "DELETE 1")
        try await manager.head("p", headers: headers)
        let form = try await manager.post("p", headers: headers) { form in
            form.appendPart(withForm: Data("y".utf8), name: "x")
        }
        #expect(text(form) == "POST 1")
    }

    @Test("H-11: A method may be a string in a variable")
    func methodMayBeAString() async throws {
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let method: String = server.port > 0 ? "REPORT" : "GET"
        let headers: [String: String] = ["X-One": "1"]
        for fields in [nil, headers] {
            let task = manager.dataTask(
                withHTTPMethod: method,
                urlString: "p",
                headers: fields,
                success: ends.success,
                failure: ends.failure
            )
            task?.resume()
        }
        let texts = Set(try await ends.wait(count: 2).compactMap(\.text))
        #expect(texts == ["REPORT -", "REPORT 1"])
        let object = try await manager.object(withHTTPMethod: method, urlString: "p")
        #expect(text(object) == "REPORT -")
        let request = try manager.requestSerializer.request(
            withMethod: method,
            urlString: "http://h/"
        )
        #expect(request.httpMethod == "REPORT")
    }

    // MARK: Closures

    @Test("S-34: The first trailing closure of a download without progress is its destination")
    func firstTrailingClosureIsTheDestination() async throws {
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path("file"))
        let completions = EventRecorder<Completion>()
        let task = manager.downloadTask(with: try server.request("/p")) { temporaryFile, response in
            #expect(response.url?.path == "/p" && temporaryFile.isFileURL)
            return file
        } completionHandler: { response, file, error in
            completions.record(Completion(response: response, object: file, error: error))
        }
        task.resume()
        let completion = try await completions.only()
        #expect(completion.file == file && completion.error == nil)
        // With progress, the destination is the second one.
        let other = manager.downloadTask(with: try server.request("/p")) { progress in
            #expect(progress.completedUnitCount >= 0)
        } destination: { _, _ in
            file
        } completionHandler: { _, _, _ in
        }
        other.cancel()
    }

    @Test("H-06, H-07, H-08, H-10: Synchronous code needs neither handlers nor await")
    func verbsNeedNeitherHandlersNorAwait() async throws {
        let server = try Self.echo()
        let manager = HTTPSessionManager.forTest(server.at("/"))
        send(manager)
        try await server.requests(count: 6)
        let methods = Set(server.requests.map(\.method))
        #expect(methods == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
        #expect(server.requests.allSatisfy { $0.header("X-One") == "1" })
        // An asynchronous function gets the response.
        #expect(text(try await manager.get("p")) == "GET -")
    }

    private func send(_ manager: HTTPSessionManager) {
        let task = manager.get("p", parameters: ["k": "v"], headers: ["X-One": "1"])
        #expect(task != nil)
        manager.head("p", headers: ["X-One": "1"])
        manager.post("p", parameters: ["k": "v"], headers: ["X-One": "1"])
        manager.put("p", headers: ["X-One": "1"])
        let headers: [String: String] = ["X-One": "1"]
        manager.patch("p", headers: headers)
        manager.delete("p", headers: headers)
        #expect(manager.get("http://[") == nil)
    }
}
