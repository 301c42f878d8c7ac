internal import Foundation

/// The content of a resumable upload: bytes that can be read again.
enum UploadContent: Sendable {
    case data(Data)
    case file(FileVersion)

    /// The length in bytes.
    var length: Int64 {
        switch self {
        case .data(let data): Int64(data.count)
        case .file(let file): file.size
        }
    }

    /// The complete content, as a request's body.
    var body: TaskBody {
        switch self {
        case .data(let data): .data(data)
        case .file(let file): .file(file.url)
        }
    }

    /// The content from an offset to the end. The offset is at most the length.
    func body(from offset: Int64) -> TaskBody {
        switch self {
        case .data(let data): .data(data.dropFirst(Int(clamping: offset)))
        case .file(let file): .fileRest(file.url, from: offset)
        }
    }
}

/// Identifies a version of a file, to detect changes.
struct FileVersion: Sendable, Hashable, Codable {
    let url: URL
    /// In bytes.
    let size: Int64
    /// The modification time, in seconds since the reference date.
    let written: TimeInterval

    /// Returns `nil` for anything other than an existing regular file.
    init?(of url: URL) {
        // Symbolic links are resolved.
        let path = url.resolvingSymlinksInPath().path
        guard url.isFileURL,
            let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? UInt64,
            let date = attributes[.modificationDate] as? Date
        else { return nil }
        self.url = url
        self.size = Int64(clamping: size)
        written = date.timeIntervalSinceReferenceDate
    }

    /// The reason why the upload of the file can't be resumed. `nil` if it can.
    var fault: UploadFault? {
        guard let now = FileVersion(of: url) else {
            return UploadFault(
                .fileDoesNotExist,
                "the file to upload doesn't exist any more.",
                isFinal: true
            )
        }
        guard now == self else {
            return UploadFault(
                .cannotOpenFile,
                "the file to upload has changed, and the server has a part of its former content; "
                    + "restart the upload.",
                isFinal: true
            )
        }
        return nil
    }
}

/// The reason why an upload can't be resumed.
struct UploadFault: Sendable {
    let code: URLError.Code
    /// The cause and the remedy.
    let reason: String
    /// Whether a later attempt can't succeed either.
    let isFinal: Bool

    init(_ code: URLError.Code, _ reason: String, isFinal: Bool) {
        self.code = code
        self.reason = reason
        self.isFinal = isFinal
    }

    func error(url: URL?) -> URLError {
        URLError(code, url: url, reason: reason)
    }
}
