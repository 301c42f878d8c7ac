internal import Foundation

extension SessionCore {
    /// Those that aren't over by their kinds: uploads aren't among the data tasks.
    var tasksByKind:
        (
            data: [URLSessionDataTask], upload: [URLSessionUploadTask],
            download: [URLSessionDownloadTask]
        )
    {
        let tasks = tasks
        let uploads = tasks.compactMap { $0 as? URLSessionUploadTask }
        let downloads = tasks.compactMap { $0 as? URLSessionDownloadTask }
        let data = tasks.filter { !($0 is URLSessionUploadTask) }
            .compactMap { $0 as? URLSessionDataTask }
        return (data, uploads, downloads)
    }

    /// - Parameter then: Called on the delegate queue when what was cached is on disk.
    func flush(then: @escaping @Sendable () -> Void) {
        forgetConnections()
        guard let cache = settings.urlCache else { return events.append(.call(then)) }
        cache.flush { [events] in events.append(.call(then)) }
    }

    /// Forgets what was kept of former exchanges.
    func reset() {
        forgetConnections()
        settings.httpCookieStorage?.removeCookies(since: .distantPast)
        settings.urlCache?.removeAllCachedResponses()
        guard let storage = settings.urlCredentialStorage else { return }
        for (space, credentials) in storage.allCredentials {
            for credential in credentials.values { storage.remove(credential, for: space) }
        }
    }
}
