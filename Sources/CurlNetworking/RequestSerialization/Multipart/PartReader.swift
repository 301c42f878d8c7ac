internal import CurlURLSession
internal import Foundation

/// Reads the body of one part, and checks its announced length.
struct PartReader {
    private enum Source {
        case data(Data)
        case file(FileHandle)
        case stream(InputStream?)
    }

    private let part: MultipartPart
    private var source: Source
    private var left: Int64
    private var isAtEnd = false

    /// Opens the part's file or stream.
    init(_ part: MultipartPart) throws {
        self.part = part
        left = part.length
        switch part.body {
        case .data(let data):
            source = .data(data)
        case .file(let url):
            source = .file(try FileHandle(forReadingFrom: url))
        case .stream(let origin):
            let stream = try origin.take(for: part.label)
            if stream?.streamStatus == .notOpen { stream?.open() }
            source = .stream(stream)
        }
    }

    var isStream: Bool {
        if case .stream = source { true } else { false }
    }

    /// Reads between one and `count` bytes; none at the end, which closes the file or stream.
    mutating func read(upTo count: Int) throws -> [UInt8] {
        guard !isAtEnd else { return [] }
        guard left > 0 else {
            guard try next(1).isEmpty else { throw fault("more") }
            close()
            isAtEnd = true
            return []
        }
        let bytes = try next(Int(min(Int64(count), left)))
        guard !bytes.isEmpty else { throw fault("fewer") }
        left -= Int64(bytes.count)
        return bytes
    }

    private mutating func next(_ count: Int) throws -> [UInt8] {
        switch source {
        case .data(let data):
            let bytes = data.prefix(count)
            source = .data(data.dropFirst(count))
            return [UInt8](bytes)
        case .file(let handle):
            return [UInt8](try handle.read(upToCount: count) ?? Data())
        case .stream(let stream):
            return try stream?.readBytes(upTo: count) ?? []
        }
    }

    /// Closes the part's file or stream, unless its end was read.
    func close() {
        guard !isAtEnd else { return }
        switch source {
        case .data: break
        case .file(let handle): try? handle.close()
        case .stream(let stream): stream?.close()
        }
    }

    private func fault(_ comparison: String) -> NSError {
        URLRequestSerializationError.part(
            "The part \(part.label) has \(comparison) bytes than the \(part.length) that it had when "
                + "it was appended; the upload can't be completed."
        )
    }
}
