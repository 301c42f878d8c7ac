import Foundation

/// Talks JSON with a service.
struct APIClient: Sendable {
    let base: URL
    let session: URLSession

    init(_ stage: Stage, delegate: (any URLSessionDelegate)? = nil, queue: OperationQueue? = nil) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpAdditionalHeaders = [
            "Accept": "application/json",
            "X-App": "notes",
        ]
        self.init(stage, configuration: configuration, delegate: delegate, queue: queue)
    }

    init(
        _ stage: Stage,
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)? = nil,
        queue: OperationQueue? = nil
    ) {
        base = stage.base
        session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: queue
        )
    }

    func request(
        _ method: String,
        _ path: String,
        query: [URLQueryItem] = []
    ) throws -> URLRequest {
        let address = base.appendingPathComponent(path)
        guard var components = URLComponents(url: address, resolvingAgainstBaseURL: true) else {
            throw APIError.badAddress(path)
        }
        if !query.isEmpty { components.queryItems = query }
        guard let url = components.url else { throw APIError.badAddress(path) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        return request
    }

    func request(
        _ method: String,
        _ path: String,
        body: some Encodable
    ) throws -> URLRequest {
        var request = try request(method, path)
        request.httpBody = try JSONEncoder().encode(body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return request
    }

    /// Sends a request and decodes the answer.
    func send<Value: Decodable & Sendable>(
        _ request: URLRequest,
        as type: Value.Type,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> Answer<Value> {
        let (data, response) = try await session.data(for: request, delegate: delegate)
        return try Self.answer(data, response)
    }

    func get<Value: Decodable & Sendable>(
        _ path: String,
        query: [URLQueryItem] = [],
        as type: Value.Type
    ) async throws -> Value {
        try await send(request("GET", path, query: query), as: type).value
    }

    /// Starts a request and delivers the answer on the session's queue.
    @discardableResult
    func start<Value: Decodable & Sendable>(
        _ request: URLRequest,
        as type: Value.Type,
        completion: @escaping @Sendable (Result<Answer<Value>, any Error>) -> Void
    ) -> URLSessionDataTask {
        let task = session.dataTask(with: request) { data, response, error in
            if let error {
                completion(.failure(error))
            } else {
                completion(Result { try Self.answer(data ?? Data(), response) })
            }
        }
        task.resume()
        return task
    }

    private static func answer<Value: Decodable & Sendable>(
        _ data: Data,
        _ response: URLResponse?
    ) throws -> Answer<Value> {
        guard let response = response as? HTTPURLResponse else {
            throw URLError(.badServerResponse)
        }
        let retryAfter = response.value(forHTTPHeaderField: "Retry-After")
        let status = response.statusCode
        if let error = APIError(status: status, retryAfter: retryAfter, body: data) { throw error }
        if data.isEmpty, let nothing = Nothing() as? Value {
            return Answer(value: nothing, response: response)
        }
        do {
            let value = try JSONDecoder().decode(Value.self, from: data)
            return Answer(value: value, response: response)
        } catch {
            throw APIError.undecodable
        }
    }
}
