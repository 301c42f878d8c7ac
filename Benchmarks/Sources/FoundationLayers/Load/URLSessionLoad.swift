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
        let request = request(number: number)
        switch options.mode {
        case .get:
            let (data, response) = try await collect(request)
            return Outcome(response, received: data.count)
        case .upload:
            let (data, response) = try await send(request)
            return Outcome(response, received: data.count, sent: options.uploadBytes)
        case .download:
            guard let path = options.output(ofPlace: place) else {
                let (received, response) = try await dropping.run(session.dataTask(with: request))
                return Outcome(response, received: received)
            }
            let (file, response) = try await session.download(for: request)
            return Outcome(response, received: try move(file, to: path))
        }
    }

    private func collect(_ request: URLRequest) async throws -> (Data, URLResponse?) {
        guard form == .handler else { return try await session.data(for: request) }
        return try await withCheckedThrowingContinuation { continuation in
            let task = session.dataTask(with: request) { data, response, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: (data ?? Data(), response))
                }
            }
            task.resume()
        }
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
