internal import CurlTransport
internal import Foundation

/// The source of a task's request body.
enum TaskBody: Sendable {
    case none
    case data(Data)
    case file(URL)
    /// The part of a file from an offset to its end.
    case fileRest(URL, from: Int64)
    /// Can be read only once.
    case stream(BodyStream)
    /// The delegate provides a stream.
    case asked

    init(_ content: BodyContent) {
        switch content {
        case .none: self = .none
        case .data(let data): self = .data(data)
        case .stream(let stream): self = .stream(stream)
        }
    }

    /// The body for sending the request again. A stream is used up, so the delegate must provide
    /// another.
    var forAnotherTime: TaskBody {
        if case .stream = self { .asked } else { self }
    }

    var isAsked: Bool {
        if case .asked = self { true } else { false }
    }
}

extension TaskBody {
    /// The largest body passed to the transport in one piece, in bytes. Larger ones are passed in
    /// slices, so that the transport doesn't hold a second copy.
    private static let largest = 1 << 20

    /// Returns the body in the transport's form.
    ///
    /// - Parameter client: Gets the error if a stream fails.
    func requestBody(
        of request: URLRequest,
        client: TaskCore
    ) throws(TransportError) -> RequestBody {
        switch self {
        case .none, .asked:
            return .none
        case .data(let data) where data.count <= Self.largest:
            return .bytes([UInt8](data))
        case .data(let data):
            return .stream(
                length: Int64(data.count),
                restartable: { DataSlices(data, size: Self.largest / 4) }
            )
        case .file(let url):
            return try Self.content(of: url, from: 0)
        case .fileRest(let url, let offset):
            return try Self.content(of: url, from: offset)
        case .stream(let stream):
            let length = length(of: request)
            let didFail: @Sendable (any Error) -> Void = { [weak client] in client?.bodyFailed($0) }
            guard stream.isRestartable else {
                return .stream(
                    length: length < 0 ? nil : length,
                    BodyStreamChunks(stream, didFail: didFail)
                )
            }
            return .stream(
                length: length < 0 ? nil : length,
                restartable: { BodyStreamChunks(stream.restarted ?? stream, didFail: didFail) }
            )
        }
    }

    private static func content(
        of url: URL,
        from offset: Int64
    ) throws(TransportError) -> RequestBody {
        guard url.isFileURL else {
            throw .requestBodyFailed("\(url.absoluteString) isn't a file URL")
        }
        return .file(path: url.path, from: offset)
    }

    private var file: URL? {
        switch self {
        case .file(let url), .fileRest(let url, _): url
        case .none, .data, .stream, .asked: nil
        }
    }

    /// The reason why the file to upload can't be read. `nil` if it can, and for other bodies.
    var fileError: URLError? {
        guard let url = file, url.isFileURL,
            !FileManager.default.isReadableFile(atPath: url.path)
        else { return nil }
        let exists = FileManager.default.fileExists(atPath: url.path)
        return URLError(
            exists ? .noPermissionsToReadFile : .fileDoesNotExist,
            url: url,
            reason: exists
                ? "the file to upload can't be read." : "the file to upload doesn't exist."
        )
    }

    /// The length in bytes; -1 if unknown.
    func length(of request: URLRequest) -> Int64 {
        switch self {
        case .none:
            0
        case .data(let data):
            Int64(data.count)
        case .file(let url):
            Self.size(of: url) ?? -1
        case .fileRest(let url, let offset):
            Self.size(of: url).map { max(0, $0 - offset) } ?? -1
        case .stream(let stream):
            Self.length(announcedBy: request) ?? stream.length ?? -1
        case .asked:
            Self.length(announcedBy: request) ?? -1
        }
    }

    private static func size(of url: URL) -> Int64? {
        (try? FileManager.default.attributesOfItem(atPath: url.path))
            .flatMap { $0[.size] as? UInt64 }.map { Int64(clamping: $0) }
    }

    /// The length of a stream from the request's `Content-Length`.
    private static func length(announcedBy request: URLRequest) -> Int64? {
        request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
            .flatMap { $0 < 0 ? nil : $0 }
    }
}

/// Splits a body in memory into slices.
struct DataSlices: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    private let data: Data
    private let size: Int

    init(_ data: Data, size: Int) {
        self.data = data
        self.size = size
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(rest: data[...], size: size)
    }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Data
        let size: Int

        mutating func next() async -> [UInt8]? {
            guard !rest.isEmpty else { return nil }
            let slice = rest.prefix(size)
            rest = rest.dropFirst(size)
            return [UInt8](slice)
        }
    }
}
