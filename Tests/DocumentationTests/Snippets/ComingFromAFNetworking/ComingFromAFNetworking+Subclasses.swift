internal import CurlNetworking
internal import Foundation

// What the page "Coming from AFNetworking" shows about subclasses and about the main actor.

// snippet: ComingFromAFNetworking/subclass
// `@unchecked Sendable`: it adds no stored property to a superclass that has a proof.
class TokenManager: HTTPSessionManager, @unchecked Sendable {
    override func dataTask(
        with request: URLRequest,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: CompletionHandler?
    ) -> URLSessionDataTask {
        var request = request
        request.setValue("token", forHTTPHeaderField: "X-Token")
        return super.dataTask(
            with: request,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            completionHandler: completionHandler
        )
    }
}
// end

// snippet: ComingFromAFNetworking/verbs
// `@unchecked Sendable`: it adds no stored property to a superclass that has a proof.
class VersionedManager: HTTPSessionManager, @unchecked Sendable {
    override func dataTask(
        withHTTPMethod method: HTTPMethod,
        urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        super.dataTask(
            withHTTPMethod: method,
            urlString: "v2/" + urlString,
            parameters: parameters,
            headers: headers,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            success: success,
            failure: failure
        )
    }
}
// end

// snippet: ComingFromAFNetworking/monitor
struct ResponseLog: EventMonitor {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse
    ) {
        print("\(dataTask.taskIdentifier): \(response.url?.path ?? "")")
    }
}
// end

// snippet: ComingFromAFNetworking/setter
// `@unchecked Sendable`: it adds no stored property to a superclass that has a proof.
class LoggingManager: HTTPSessionManager, @unchecked Sendable {
    func setLoggedTaskDidComplete(_ handler: TaskDidComplete?) {
        setTaskDidComplete { session, task, error in
            print("\(task.taskIdentifier) is over")
            handler?(session, task, error)
        }
    }
}
// end

// snippet: ComingFromAFNetworking/trust
// `@unchecked Sendable`: it adds no stored property to a superclass that has a proof.
class CompanyPolicy: SecurityPolicy, @unchecked Sendable {
    override func evaluation(
        of serverTrust: SecTrust,
        forDomain domain: String?
    ) -> ServerTrustEvaluation {
        guard let domain, domain.hasSuffix(".example.com") else {
            return .refused(.noPolicy(domain ?? serverTrust.host))
        }
        return super.evaluation(of: serverTrust, forDomain: domain)
    }
}
// end

// snippet: ComingFromAFNetworking/mainActor
@MainActor final class UserList {
    var text = ""

    func load(_ manager: HTTPSessionManager) {
        manager.get("users") { task, users in
            MainActor.assumeIsolated { self.text = "\(users ?? "no users")" }
        } failure: { task, error in
            MainActor.assumeIsolated { self.text = error.localizedDescription }
        }
    }
}
// end

extension ComingFromAFNetworking {
    static func monitor(_ manager: HTTPSessionManager) {
        // snippet: ComingFromAFNetworking/monitors
        manager.eventMonitors = [ResponseLog()]
        // end
    }

    static func narrowed(_ manager: HTTPSessionManager) {
        // snippet: ComingFromAFNetworking/narrowed
        manager.responseSerializer.acceptableContentTypes = ["application/json", "text/plain"]
        // end
    }

    func withoutHandlers(_ headers: [String: String]) {
        // snippet: ComingFromAFNetworking/withoutHandlers
        manager.post("visits", headers: headers)
        // end
    }
}
