import Foundation

/// A protocol through which deprecated uses cause no compiler warning.
protocol Uses {
    func write(_ stage: Stage)
}

/// Uses of deprecated API in old code.
struct OldUses: Uses {
    @available(*, deprecated)
    func write(_ stage: Stage) {
        stage.log(NSURLProtectionSpaceFTP)
        stage.log(NSURLProtectionSpaceFTPProxy)
        values(stage)
        requests(stage)
        for configuration in [URLSessionConfiguration(), PatientConfiguration()] {
            stage.log("\(configuration.timeoutIntervalForRequest) s")
            stage.log("idle \(configuration.shouldUseExtendedBackgroundIdleMode)")
            stage.log("pipelining \(configuration.httpShouldUsePipelining)")
            configuration.shouldUseExtendedBackgroundIdleMode = true
            configuration.httpShouldUsePipelining = true
            stage.log("idle \(configuration.shouldUseExtendedBackgroundIdleMode)")
            stage.log("pipelining \(configuration.httpShouldUsePipelining)")
        }
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: stage.url("/text"))
        stage.log("from the beginning: \(task.earliestBeginDate == nil)")
        task.earliestBeginDate = Date(timeIntervalSinceNow: 1000)
        stage.log("later: \(task.earliestBeginDate.map { $0 > Date() } ?? false)")
        session.invalidateAndCancel()
    }

    @available(*, deprecated)
    private func values(_ stage: Stage) {
        let disposition = URLSession.ResponseDisposition.becomeDownload
        stage.log(
            "\(disposition.rawValue): \(SurfaceScript.hasValue(disposition, equalTo: disposition))"
        )
        let persistence = URLCredential.Persistence.synchronizable
        stage.log(
            "\(persistence.rawValue): \(SurfaceScript.hasValue(persistence, equalTo: persistence))"
        )
        let fetch = URLSessionTaskMetrics.ResourceFetchType.serverPush
        stage.log("\(fetch.rawValue): \(SurfaceScript.hasValue(fetch, equalTo: fetch))")
        stage.log("names \(SurfaceScript.space("notes").distinguishedNames?.count ?? 0)")
    }

    @available(*, deprecated)
    private func requests(_ stage: Stage) {
        var request = URLRequest(url: stage.url("/"))
        stage.log("pipelining \(request.httpShouldUsePipelining)")
        request.httpShouldUsePipelining = true
        stage.log("pipelining \(request.httpShouldUsePipelining)")
        let object = NSMutableURLRequest(url: stage.url("/"))
        object.httpShouldUsePipelining = true
        stage.log(
            "pipelining \((object.copy() as? NSURLRequest)?.httpShouldUsePipelining ?? false)"
        )
    }
}
