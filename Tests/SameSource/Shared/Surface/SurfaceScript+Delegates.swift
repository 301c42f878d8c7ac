import Foundation

extension SurfaceScript {
    /// The default answers of a delegate.
    static func delegateDefaults(_ stage: Stage) async throws {
        let idle = IdleDelegate()
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: stage.url("/text"))
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space("notes"),
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: nil,
            error: nil,
            sender: ChallengeSender(stage)
        )
        idle.urlSession(session, didReceive: challenge) { disposition, credential in
            stage.log("session's challenge: \(disposition.rawValue), \(credential == nil)")
        }
        idle.urlSession(session, task: task, didReceive: challenge) { disposition, credential in
            stage.log("task's challenge: \(disposition.rawValue), \(credential == nil)")
        }
        idle.urlSession(
            session,
            task: task,
            needNewBodyStream: { stream in
                stage.log("stream: \(stream == nil)")
            }
        )
        let request = URLRequest(url: stage.url("/new"))
        if let response = HTTPURLResponse(
            url: stage.url("/"),
            statusCode: 302,
            httpVersion: nil,
            headerFields: nil
        ) {
            idle.urlSession(
                session,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: request
            ) { stage.log("redirected: \($0 == request)") }
            idle.urlSession(session, dataTask: task, didReceive: response) { disposition in
                stage.log("response: \(disposition.rawValue)")
            }
            let cached = CachedURLResponse(response: response, data: Data())
            idle.urlSession(session, dataTask: task, willCacheResponse: cached) { kept in
                stage.log("cached: \(kept === cached)")
            }
        }
        idle.urlSession(session, task: task, willBeginDelayedRequest: request) { delay, new in
            stage.log("delayed: \(delay), \(new == nil)")
        }
        notify(idle, session, task, session.downloadTask(with: request))
        stage.log("notified")
    }

    /// Calls without an answer.
    private static func notify(
        _ idle: IdleDelegate,
        _ session: URLSession,
        _ task: URLSessionDataTask,
        _ download: URLSessionDownloadTask
    ) {
        idle.urlSession(session, didBecomeInvalidWithError: nil)
        idle.urlSession(session, task: task, didCompleteWithError: nil)
        idle.urlSession(
            session,
            task: task,
            didSendBodyData: 1,
            totalBytesSent: 1,
            totalBytesExpectedToSend: 1
        )
        idle.urlSession(session, dataTask: task, didReceive: Data())
        idle.urlSession(session, dataTask: task, didBecome: download)
        idle.urlSession(
            session,
            downloadTask: download,
            didWriteData: 1,
            totalBytesWritten: 1,
            totalBytesExpectedToWrite: 1
        )
        idle.urlSession(
            session,
            downloadTask: download,
            didResumeAtOffset: 0,
            expectedTotalBytes: 1
        )
        idle.urlSession(
            session,
            downloadTask: download,
            didFinishDownloadingTo: URL(fileURLWithPath: "/")
        )
    }

    /// Calls with objects that only a session makes.
    static func notify(
        _ idle: IdleDelegate,
        _ session: URLSession,
        _ task: URLSessionDataTask,
        _ stream: URLSessionStreamTask,
        _ metrics: URLSessionTaskMetrics,
        _ input: InputStream,
        _ output: OutputStream
    ) {
        idle.urlSession(session, task: task, didFinishCollecting: metrics)
        idle.urlSession(session, dataTask: task, didBecome: stream)
        idle.urlSession(session, readClosedFor: stream)
        idle.urlSession(session, writeClosedFor: stream)
        idle.urlSession(session, betterRouteDiscoveredFor: stream)
        idle.urlSession(session, streamTask: stream, didBecome: input, outputStream: output)
    }

    /// The order of the calls of a delegate that implements every method.
    static func delegateOwn(_ stage: Stage) async throws {
        let delegate = BusyDelegate(stage)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: nil
        )
        await delegate.run(session.dataTask(with: stage.url("/deep/old")))
        await delegate.run(session.downloadTask(with: stage.url("/text")))
        let task = session.dataTask(with: stage.url("/silence"))
        task.cancel()
        await delegate.end(task)
        await delegate.invalidate(session)
    }

    static func metrics(_ stage: Stage) async throws {
        let delegate = MeasuringDelegate(stage)
        let session = URLSession(
            configuration: .ephemeral,
            delegate: delegate,
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        await delegate.run(session.dataTask(with: stage.url("/text")))
        let types: [URLSessionTaskMetrics.ResourceFetchType] = [
            .unknown, .networkLoad, .localCache,
        ]
        for type in types {
            let same = URLSessionTaskMetrics.ResourceFetchType(rawValue: type.rawValue) ?? .unknown
            stage.log("fetch \(type.rawValue): \(hasValue(type, equalTo: same))")
        }
        let protocols: [URLSessionTaskMetrics.DomainResolutionProtocol] = [
            .unknown, .udp, .tcp, .tls, .https,
        ]
        for name in protocols {
            let same = URLSessionTaskMetrics.DomainResolutionProtocol(rawValue: name.rawValue)
            stage.log(
                "names by \(name.rawValue): \(same.map { hasValue($0, equalTo: name) } == true)"
            )
        }
    }
}
