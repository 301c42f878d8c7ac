internal import HTTPSemantics
internal import HTTPTypes
internal import Posix

/// One download to a file that may be continued later.
struct ResumableDownload: Sendable {
    let client: any HTTPExchanging
    let request: HTTPRequest
    let context: RequestContext
    let files: FileThread
    let progress: (@Sendable (DownloadProgress) -> Void)?

    /// Request fields that select a part or a version themselves.
    private static let selecting: [HTTPField.Name] = [
        .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
    ]

    private var mayResume: Bool {
        request.method == .get && request.url != nil
            && !Self.selecting.contains { request.headerFields.contains($0) }
    }

    private var plainURL: String {
        String((request.url ?? "").prefix { $0 != "?" && $0 != "#" })
    }

    func run(to path: String) async throws(TransportError) -> DownloadResult {
        let mayResume = mayResume
        let file = try await files.run { try PartialDownload(for: path, mayResume: mayResume) }
        do throws(TransportError) {
            return try await transfer(to: file)
        } catch {
            // The disk may be slow; the error doesn't depend on the result.
            try? await files.run { file.suspend() }
            throw error
        }
    }

    // MARK: Requests

    /// What to do after a response.
    private enum Step {
        /// The content is complete, or the response is final without one.
        case end(DownloadResult)
        /// More of the content is missing.
        case requestRest
        /// The response is unusable: the whole content is requested.
        case requestWhole
    }

    private func transfer(to file: PartialDownload) async throws(TransportError) -> DownloadResult {
        let resumed = file.record?.url == plainURL ? file.size : 0
        var state = DownloadState(resumed: resumed)
        while true {
            let rest = state.resumed > 0 ? rest(of: file) : nil
            let response = try await client.send(
                fields(for: rest),
                body: .none,
                context: context
            )
            switch try await handle(response, rest, file, &state) {
            case .end(let result): return result
            case .requestRest: continue
            case .requestWhole:
                try await files.run { try file.restart(nil) }
                state = DownloadState(resumed: 0)
            }
        }
    }

    /// The request for the missing bytes; nil if nothing can be continued.
    private func rest(of file: PartialDownload) -> RangeRequest? {
        guard let record = file.record else { return nil }
        return RangeRequest(from: file.size, length: record.length, validator: record.validator)
    }

    private func fields(for rest: RangeRequest?) -> HTTPRequest {
        var request = request
        if mayResume, !request.headerFields.contains(.acceptEncoding) {
            request.headerFields[.acceptEncoding] = "identity"
        }
        for field in rest?.fields ?? [] {
            if let name = HTTPField.Name(field.name) { request.headerFields[name] = field.value }
        }
        return request
    }

    // MARK: Responses

    private func handle(
        _ response: HTTPClientResponse,
        _ rest: RangeRequest?,
        _ file: PartialDownload,
        _ state: inout DownloadState
    ) async throws(TransportError) -> Step {
        guard let rest else { return try await handle(whole: response, file, &state) }
        let head = response.head
        let answer = rest.answer(
            status: head.statusCode,
            bodyLength: head.contentLength,
            values: head.values(of:)
        )
        switch answer {
        case .part(let part):
            state.expected = part.length ?? rest.length
            try await write(response, to: file, state)
            guard file.size >= part.range.upperBound else {
                throw .incompletePart(file.size, of: part.range, url: response.url)
            }
            // What the bytes after the announced ones are is unknown.
            guard file.size == part.range.upperBound else { return .requestWhole }
            guard file.size == state.expected else { return .requestRest }
            return .end(try await finish(file, response, state))
        case .nothingMissing:
            state.expected = file.size
            return .end(try await finish(file, response, state))
        case .whole:
            return try await handle(whole: response, file, &state)
        case .unusablePart, .unsatisfiable:
            return .requestWhole
        case .failure:
            return .end(await end(file, response, state))
        }
    }

    private func handle(
        whole response: HTTPClientResponse,
        _ file: PartialDownload,
        _ state: inout DownloadState
    ) async throws(TransportError) -> Step {
        guard (200..<300).contains(response.statusCode) else {
            return .end(await end(file, response, state))
        }
        guard response.statusCode != 206 else { throw .unrequestedPart(url: response.url) }
        let record = record(of: response)
        try await files.run { try file.restart(record) }
        state = DownloadState(resumed: 0)
        let isEncoded = RangeRequest.isEncoded(response.head.values(of:))
        state.expected = isEncoded ? nil : response.head.contentLength
        try await write(response, to: file, state)
        return .end(try await finish(file, response, state))
    }

    /// What is stored about the content of a response; nil if it can't be continued later.
    private func record(of response: HTTPClientResponse) -> PartialDownload.Record? {
        guard mayResume, response.statusCode == 200 else { return nil }
        let validator = RangeRequest.validator(
            receivedAt: WallClock.secondsSince1970,
            values: response.head.values(of:)
        )
        guard let validator else { return nil }
        return PartialDownload.Record(
            url: plainURL,
            validator: validator,
            length: response.head.contentLength
        )
    }

    private func write(
        _ response: HTTPClientResponse,
        to file: PartialDownload,
        _ state: DownloadState
    ) async throws(TransportError) {
        report(file, state)
        for try await chunk in response.body {
            try await files.run { try file.append(chunk) }
            report(file, state)
        }
    }

    private func finish(
        _ file: PartialDownload,
        _ response: HTTPClientResponse,
        _ state: DownloadState
    ) async throws(TransportError) -> DownloadResult {
        try await files.run { try file.commit() }
        return DownloadResult(
            response: response,
            isComplete: true,
            progress: state.progress(received: file.size)
        )
    }

    /// Ends with a response that has no content for the file.
    private func end(
        _ file: PartialDownload,
        _ response: HTTPClientResponse,
        _ state: DownloadState
    ) async -> DownloadResult {
        try? await files.run { file.suspend() }
        return DownloadResult(
            response: response,
            isComplete: false,
            progress: state.progress(received: file.size)
        )
    }

    private func report(_ file: PartialDownload, _ state: DownloadState) {
        progress?(state.progress(received: file.size))
    }
}

/// What is known about the content of a download.
private struct DownloadState {
    /// The number of bytes from an earlier download.
    let resumed: Int64
    /// The number of bytes of the whole content; nil if it is unknown.
    var expected: Int64?

    func progress(received: Int64) -> DownloadProgress {
        DownloadProgress(received: received, expected: expected, resumed: resumed)
    }
}

extension TransportError {
    fileprivate static func unrequestedPart(url: String) -> TransportError {
        TransportError(
            .invalidResponse,
            phase: .receiving,
            message: "the server sent a partial response (206), but the whole content was "
                + "requested.",
            url: url
        )
    }

    fileprivate static func incompletePart(
        _ size: Int64,
        of range: Range<Int64>,
        url: String
    ) -> TransportError {
        TransportError(
            .truncatedResponse,
            phase: .receiving,
            message: "the part of the content ended at byte \(size) instead of "
                + "\(range.upperBound). Download it again to continue.",
            url: url
        )
    }
}
