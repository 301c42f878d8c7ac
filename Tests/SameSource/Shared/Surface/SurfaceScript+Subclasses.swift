import Foundation

extension SurfaceScript {
    /// Subclasses with which tests of user programs replace classes.
    static func subclasses(_ stage: Stage) {
        let session = CannedSession(configuration: .ephemeral)
        let task = session.dataTask(with: stage.url("/a")) { data, _, error in
            stage.log("canned: \(data?.count ?? -1), \(stage.text(of: error))")
        }
        task.resume()
        stage.log("state \(task.state.rawValue)")
        task.cancel()
        stage.log("state \(task.state.rawValue)")
        let response = TeapotResponse(
            url: stage.url("/a"),
            statusCode: 418,
            httpVersion: nil,
            headerFields: nil
        )
        stage.log("\(response?.description ?? "none")")
        let request = MarkedRequest(url: stage.url("/a"))
        stage.log("\(request.value(forHTTPHeaderField: "X-Mark") ?? "none")")
        let cache = CountingCache(memoryCapacity: 100, diskCapacity: 0, diskPath: nil)
        stage.log("\(cache.cachedResponse(for: URLRequest(url: stage.url("/a"))) == nil)")
        let credentials = FixedCredentialStorage()
        stage.log("\(credentials.defaultCredential(for: space("notes"))?.user ?? "nobody")")
    }
}
