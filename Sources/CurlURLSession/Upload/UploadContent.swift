internal import Foundation

/// What an upload sends that can be gone on with: bytes that can be had again.
enum UploadContent: Sendable {
    case data(Data)
    case file(FileVersion)

    /// How many bytes there are.
    var length: Int64 {
        switch self {
        case .data(let data): Int64(data.count)
        case .file(let file): file.size
        }
    }

    /// The whole, as a request's body.
    var body: TaskBody {
        switch self {
        case .data(let data): .data(data)
        case .file(let file): .file(file.url)
        }
    }

    /// What is left from a byte on, which is one of them or their end.
    func body(from offset: Int64) -> TaskBody {
        switch self {
        case .data(let data): .data(data.dropFirst(Int(clamping: offset)))
        case .file(let file): .fileRest(file.url, from: offset)
        }
    }
}
