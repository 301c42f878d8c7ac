internal import CurlTransport
internal import Foundation

extension TaskBody {
    /// As many bytes are handed to the engine in one piece; of more, it is given slices, so that it
    /// doesn't hold all of them a second time.
    private static let largest = 1 << 20

    /// The body in the engine's form.
    ///
    /// - Parameter client: Is told why a stream failed.
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
            throw .requestBodyFailed("\(url.absoluteString) is no file's URL")
        }
        return .file(path: url.path, from: offset)
    }

    private var file: URL? {
        switch self {
        case .file(let url), .fileRest(let url, _): url
        case .none, .data, .stream, .asked: nil
        }
    }

    /// Why a file that is to be sent can't be read; `nil` where it can, and for other bodies.
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

    /// How many bytes there are; -1 where that isn't known.
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

    /// What the request says of a stream's length.
    private static func length(announcedBy request: URLRequest) -> Int64? {
        request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
            .flatMap { $0 < 0 ? nil : $0 }
    }
}
