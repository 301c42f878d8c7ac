import Foundation

extension SurfaceScript {
    private static func canned(_ path: String) throws -> URL {
        guard let url = URL(string: "canned://host\(path)") else { throw URLError(.badURL) }
        return url
    }

    /// A protocol in the process that one session uses.
    static func protocols(_ stage: Stage) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CannedProtocol.self]
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: canned("/a"))
        stage.log(String(decoding: data, as: UTF8.self))
        let head = response as? HTTPURLResponse
        stage.log("\(head?.statusCode ?? 0)")
        stage.log("canonical \(head?.value(forHTTPHeaderField: "X-Canonical") ?? "none")")
        do {
            _ = try await session.data(from: canned("/failure"))
        } catch {
            stage.log(stage.text(of: error))
        }
    }

    /// The same, reported to a delegate.
    static func protocolOfADelegate(_ stage: Stage) async throws {
        let log = CallbackLog(stage)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CannedProtocol.self]
        let session = URLSession(configuration: configuration, delegate: log, delegateQueue: nil)
        await log.run(session.dataTask(with: try canned("/a")))
        await log.run(session.dataTask(with: try canned("/failure")))
        await log.run(session.dataTask(with: try canned("/cached")))
        await log.invalidate(session)
    }

    /// Registered for all sessions.
    static func registeredProtocol(_ stage: Stage) async throws {
        let shared = URLSession.shared
        stage.log("registered: \(URLProtocol.registerClass(CannedProtocol.self))")
        let (_, response) = try await shared.data(from: canned("/a"))
        stage.log("\((response as? HTTPURLResponse)?.statusCode ?? 0)")
        URLProtocol.unregisterClass(CannedProtocol.self)
        do {
            _ = try await shared.data(from: canned("/a"))
            stage.log("still loaded")
        } catch {
            stage.log(stage.text(of: error))
        }
    }

    /// The properties that a protocol sets on a request.
    static func protocolProperties(_ stage: Stage) throws {
        let request = NSMutableURLRequest(url: try canned("/a"))
        URLProtocol.setProperty("seen", forKey: "mark", in: request)
        describe(request as URLRequest, stage)
        if let copy = request.copy() as? URLRequest { describe(copy, stage) }
        URLProtocol.removeProperty(forKey: "mark", in: request)
        describe(request as URLRequest, stage)
    }

    private static func describe(_ request: URLRequest, _ stage: Stage) {
        let mark = URLProtocol.property(forKey: "mark", in: request) as? String
        stage.log("mark: \(mark ?? "none")")
    }

    /// A protocol that loads without a session.
    static func loneProtocol(_ stage: Stage) throws {
        let client = ClientLog(stage)
        for path in ["/a", "/failure", "/moved", "/challenge", "/cached"] {
            let request = URLRequest(url: try canned(path))
            let loader = CannedProtocol(request: request, cachedResponse: nil, client: client)
            stage.log("\(loader.request.url?.path ?? "nowhere"): \(loader.client === client)")
            stage.log("\(loader.cachedResponse == nil), \(loader.task == nil)")
            loader.startLoading()
            loader.stopLoading()
        }
        let request = URLRequest(url: try canned("/a"))
        stage.log("\(CannedProtocol.canInit(with: request))")
        stage.log("\(CannedProtocol.requestIsCacheEquivalent(request, to: request))")
        let canonical = CannedProtocol.canonicalRequest(for: request)
        stage.log("canonical \(canonical.value(forHTTPHeaderField: "X-Canonical") ?? "none")")
    }

    static func protocolOfATask(_ stage: Stage) {
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: stage.url("/a"))
        let loader = CannedProtocol(task: task, cachedResponse: nil, client: ClientLog(stage))
        stage.log("\(loader.task === task), \(loader.request.url?.path ?? "nowhere")")
        stage.log("can: \(CannedProtocol.canInit(with: task))")
        session.invalidateAndCancel()
    }
}
