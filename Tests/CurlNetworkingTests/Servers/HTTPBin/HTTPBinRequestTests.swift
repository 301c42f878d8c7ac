internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

/// A manager's requests, as httpbin receives them.
@Suite(.enabled(if: HTTPBinPeer.isAvailable), .timeLimit(.minutes(10)))
struct HTTPBinRequestTests {
    private struct Order: Codable, Equatable {
        var name: String
        var sizes: [Int]
        var isPaid: Bool
    }

    private struct Sent: Decodable, Sendable {
        var json: Order?
        var headers: [String: String]
    }

    @Test func everyVerbReachesTheServer() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let parameters = ["name": "Jürgen & co", "empty": ""]
        let got = try await manager.get("get", parameters: parameters, of: HTTPBinEcho.self)
        #expect(got.args == parameters)
        let deleted = try await manager.delete(
            "delete",
            parameters: parameters,
            of: HTTPBinEcho.self
        )
        #expect(deleted.args == parameters)
        #expect(deleted.form == [:])
        let posted = try await manager.post("post", parameters: parameters, of: HTTPBinEcho.self)
        let put = try await manager.put("put", parameters: parameters, of: HTTPBinEcho.self)
        let patched = try await manager.patch(
            "patch",
            parameters: parameters,
            of: HTTPBinEcho.self
        )
        for echo in [posted, put, patched] {
            #expect(echo.form == parameters)
            #expect(echo.args == [:])
        }
        // An empty body can't be decoded as JSON.
        manager.responseSerializer = HTTPResponseSerializer()
        try await manager.head("get", parameters: parameters)
        let answer = try await manager.object(withHTTPMethod: .head, urlString: "get")
        #expect(answer as? Data == Data())
    }

    @Test func everyVerbCallsItsHandlers() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let ends = EventRecorder<VerbOutcome>()
        let (success, failure) = (ends.success, ends.failure)
        for (method, send) in [
            ("GET", manager.get("anything", success: success, failure: failure)),
            ("POST", manager.post("anything", success: success, failure: failure)),
            ("PUT", manager.put("anything", success: success, failure: failure)),
            ("PATCH", manager.patch("anything", success: success, failure: failure)),
            ("DELETE", manager.delete("anything", success: success, failure: failure)),
        ] {
            let end = try await ends.first { $0.task === send }
            let object = try #require(end.object as? [String: any Sendable])
            #expect(object["method"] as? String == method)
        }
        let head = EventRecorder<URLSessionDataTask>()
        let task = manager.head("anything", success: { head.record($0) }, failure: failure)
        #expect(try await head.first { _ in true } === task)
    }

    @Test func jsonBodyReachesTheServer() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        manager.requestSerializer = JSONRequestSerializer()
        let order = Order(name: "日本", sizes: [1, 2, 3], isPaid: true)
        let answer = try await manager.object(
            withHTTPMethod: .post,
            urlString: "post",
            encoding: order
        )
        let tree = try #require(answer as? [String: any Sendable])
        let json = try #require(tree["json"] as? [String: any Sendable])
        #expect(json["name"] as? String == order.name)
        #expect(json["sizes"] as? [Int] == order.sizes)
        #expect(json["isPaid"] as? Bool == true)
        let sent = try await manager.post(
            "post",
            parameters: ["name": "n", "sizes": [7], "isPaid": false] as [String: Any],
            of: Sent.self
        )
        #expect(sent.json == Order(name: "n", sizes: [7], isPaid: false))
        #expect(sent.headers["Content-Type"] == "application/json")
    }

    @Test func formWithFilesReachesTheServer() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let folder = try TemporaryDirectory()
        try folder.write("from a file", to: "note.txt")
        let length = EventRecorder<[Int64]>()
        let answer = try await manager.post(
            "post",
            parameters: ["title": "täst"],
            progress: { length.record([$0.completedUnitCount, $0.totalUnitCount]) },
            constructingBodyWith: { form in
                let file = URL(fileURLWithPath: folder.path("note.txt"))
                try form.appendPart(withFileURL: file, name: "note")
                form.appendPart(
                    withFileData: Data("of memory".utf8),
                    name: "memo",
                    fileName: "memo.txt",
                    mimeType: "text/plain"
                )
                let text = Data("of a stream".utf8)
                form.appendPart(
                    with: InputStream(data: text),
                    name: "streamed",
                    fileName: "s.txt",
                    length: Int64(text.count),
                    mimeType: "text/plain"
                )
                form.appendPart(withForm: Data("value".utf8), name: "field")
            }
        )
        let tree = try #require(answer as? [String: any Sendable])
        #expect(tree["form"] as? [String: String] == ["title": "täst", "field": "value"])
        #expect(
            tree["files"] as? [String: String]
                == ["note": "from a file", "memo": "of memory", "streamed": "of a stream"]
        )
        let headers = try #require(tree["headers"] as? [String: String])
        // The length is known before the upload starts.
        let announced = try #require(headers["Content-Length"].flatMap { Int64($0) })
        #expect(length.events.last == [announced, announced])
        #expect(headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test func headersReachTheServer() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        manager.requestSerializer.setValue("probe/1", forHTTPHeaderField: "User-Agent")
        manager.requestSerializer.setValue("all", forHTTPHeaderField: "X-All")
        let echo = try await manager.get(
            "headers",
            headers: ["X-One": "one", "X-All": "own"],
            of: [String: [String: String]].self
        )
        let headers = try #require(echo["headers"])
        #expect(headers["User-Agent"] == "probe/1")
        #expect(headers["X-One"] == "one")
        #expect(headers["X-All"] == "own")
        #expect(headers["Accept-Language"]?.isEmpty == false)
        let agent = try await manager.get("user-agent", of: [String: String].self)
        #expect(agent == ["user-agent": "probe/1"])
    }
}
