internal import Foundation
internal import LoadKit

/// One session without cookies and cache; in each place in flight one task after the other.
struct URLSessionLoad: Sendable {
    private let options: LoadOptions
    private let form: URLSessionForm
    private let session: URLSession
    private let dropping = DroppingDelegate()
    private let urls: [URL]
    private let upload: Data

    /// - Parameter configuration: Which the load completes.
    init(
        _ options: LoadOptions,
        form: URLSessionForm,
        configuration: URLSessionConfiguration
    ) {
        self.options = options
        self.form = form
        configuration.httpMaximumConnectionsPerHost = options.concurrency
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = 600
        // With a delegate of the session's own, the asynchronous methods go another way.
        let delegate = options.mode == .download && options.output == nil ? dropping : nil
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        urls = options.urls.compactMap(URL.init(string:))
        upload = Data(
            repeating: UInt8(ascii: "x"),
            count: options.input == nil ? options.uploadBytes : 0
        )
    }

    func run() async -> Tally {
        var tally = await AsyncLoad(options) { try await perform(number: $0, place: $1) }.run()
        tally.connectionsOpened = -1
        return tally
    }

    private func perform(number: Int, place: Int) async throws -> Outcome {
        switch (options.mode, form) {
        case (.get, .async): try await get(number)
        case (.get, .handler): try await getWithHandler(number)
        case (.upload, _): try await upload(number)
        case (.download, _): try await download(number, place)
        }
    }

    // Not inlined: a task that waits would have memory for the variables of all of them.

    @inline(never)
    private func get(_ number: Int) async throws -> Outcome {
        let (data, response) = try await session.data(for: request(number: number))
        return Outcome(response, received: data.count)
    }

    @inline(never)
    private func getWithHandler(_ number: Int) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            let task = session.dataTask(with: request(number: number)) { data, response, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: Outcome(response, received: data?.count ?? 0))
                }
            }
            task.resume()
        }
    }

    @inline(never)
    private func upload(_ number: Int) async throws -> Outcome {
        let (data, response) = try await send(request(number: number))
        return Outcome(response, received: data.count, sent: options.uploadBytes)
    }

    @inline(never)
    private func download(_ number: Int, _ place: Int) async throws -> Outcome {
        let request = request(number: number)
        guard let path = options.output(ofPlace: place) else {
            let (received, response) = try await dropping.run(session.dataTask(with: request))
            return Outcome(response, received: received)
        }
        let (file, response) = try await session.download(for: request)
        return Outcome(response, received: try move(file, to: path))
    }

    private func send(_ request: URLRequest) async throws -> (Data, URLResponse) {
        guard let path = options.input else {
            return try await session.upload(for: request, from: upload)
        }
        return try await session.upload(for: request, fromFile: URL(fileURLWithPath: path))
    }

    /// Moves a download to where it should be; its size.
    private func move(_ file: URL, to path: String) throws -> Int {
        let target = URL(fileURLWithPath: path)
        try? FileManager.default.removeItem(at: target)
        try FileManager.default.moveItem(at: file, to: target)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    private func request(number: Int) -> URLRequest {
        var request = URLRequest(url: urls[number % urls.count])
        request.timeoutInterval = 600
        for (name, value) in RequestFields.fixed {
            request.setValue(value, forHTTPHeaderField: name)
        }
        request.setValue("\(number)", forHTTPHeaderField: RequestFields.identifier)
        if !options.reusesConnections {
            request.setValue("close", forHTTPHeaderField: "connection")
        }
        if options.mode == .upload { request.httpMethod = "POST" }
        return request
    }
}

extension Outcome {
    fileprivate init(_ response: URLResponse?, received: Int, sent: Int = 0) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        self.init(status: status, received: received, sent: sent)
    }
}
