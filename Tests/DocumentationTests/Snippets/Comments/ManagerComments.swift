internal import CurlNetworking
internal import Dispatch
internal import Foundation

/// What the documentation comments about requests and their responses show.
struct ManagerComments: Sendable {
    let manager: HTTPSessionManager
    let print: Print

    func task(_ url: URL) {
        // snippet: URLSessionManager.swift/task
        let manager = URLSessionManager()
        manager.completionQueue = DispatchQueue(label: "answers")
        let task = manager.dataTask(with: URLRequest(url: url)) { response, object, error in
            print(object ?? error ?? "nothing")
        }
        task.resume()
        // end
    }

    /// Compiled only: it needs the internet.
    func get() async throws {
        // snippet: HTTPSessionManager.swift/get
        let manager = HTTPSessionManager(baseURL: URL(string: "http://api.example.com/v1"))
        manager.get("users", parameters: ["page": 2]) { task, users in
            print(users ?? "no users")
        } failure: { task, error in
            print(error)
        }
        let users = try await manager.get("users", parameters: ["page": 2])
        // end
        print(users ?? "no users")
    }

    func value() async throws {
        // snippet: HTTPSessionManager+Decodable.swift/value
        let report = try await manager.value(
            withHTTPMethod: "REPORT",
            urlString: "users",
            serializer: DecodableResponseSerializer<Report>()
        )
        // end
        print(report.method)
    }

    /// The server's response.
    private struct Report: Decodable, Sendable {
        let method: String
    }

    func decoded() async throws {
        // snippet: HTTPSessionManager+Decodable.swift/get
        let users: [User] = try await manager.get("users", parameters: ["page": 2])
        // end
        print(users.map(\.name))
    }

    func response(_ request: URLRequest) async throws {
        // snippet: URLSessionManager+Responses.swift/response
        let response = await manager.dataResponse(
            for: request,
            serializer: DecodableResponseSerializer<[User]>()
        )
        print(response.response?.statusCode ?? 0, response.metrics?.taskInterval.duration ?? 0)
        let users = try response.result.get()
        // end
        print(users.map(\.name))
    }

    func download(_ request: URLRequest, _ downloads: URL) async throws {
        // snippet: URLSessionManager+Destinations.swift/download
        let destination = URLSessionManager.suggestedDownloadDestination(in: downloads)
        let (file, _) = try await manager.download(
            for: request,
            options: .removePreviousFile,
            to: destination
        )
        // end
        print(file.lastPathComponent)
    }

    func destination(_ request: URLRequest, _ folder: URL) {
        // snippet: URLSessionManager+Destinations.swift/destination
        let task = manager.downloadTask(with: request) { temporaryFile, response in
            folder.appendingPathComponent(response.suggestedFilename ?? "download")
        } completionHandler: { response, file, error in
            print(error ?? file ?? "nothing")
        }
        // end
        task.resume()
    }

    func progress(_ task: URLSessionTask) async {
        // snippet: URLSessionManager+Updates.swift/progress
        for await amount in manager.uploadProgressUpdates(for: task) {
            print(amount.fractionCompleted)
        }
        // end
    }

    func failure(_ error: any Error) {
        // snippet: NetworkingError.swift/failure
        let failure = NetworkingError(error)
        if failure.isTimeout { retry() }
        if failure.responseCode == 401 { logIn() }
        // end
    }

    private func retry() { print("retried") }
    private func logIn() { print("logged in") }

    func command(_ request: URLRequest) {
        // snippet: CURLDescriptionOptions.swift/command
        print(request.cURLDescription(options: CURLDescriptionOptions(includesSecrets: true)))
        // end
    }

    func journal(_ folder: URL, _ url: URL, _ file: URL) async throws {
        // snippet: TransferJournal.swift/journal
        let journal = try TransferJournal(at: folder, manager: manager)
        try await journal.restore { job in
            { job in print(job.id, job.state, job.failure?.message ?? "") }
        }
        if try await !journal.jobs().contains(where: { $0.id == "catalogue" }) {
            try await journal.download(URLRequest(url: url), to: file, id: "catalogue")
        }
        await journal.finishEvents()
        // end
        await journal.close()
    }
}
