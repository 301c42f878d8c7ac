internal import Foundation

/// A file that a `file:` URL names, open to be read.
///
/// `@unchecked Sendable`: nothing here changes but the file handle, which is nobody else's, and which
/// the one load that has it reads on a serial queue.
struct LocalFile: LocalContent, @unchecked Sendable {
    private let url: URL
    private let handle: FileHandle
    /// Its length is the one that the file had when it was opened.
    let response: URLResponse

    /// Opens a file. It may take as long as a disk does.
    ///
    /// - Throws: `URLError` with `fileDoesNotExist`, `fileIsDirectory`, `noPermissionsToReadFile`, or
    ///   `resourceUnavailable` for what is no file, such as a pipe or a device.
    init(_ url: URL) throws {
        self.url = url
        do {
            let file = try Self.regularFile(url)
            handle = try FileHandle(forReadingFrom: file)
            let length = try handle.seekToEnd()
            try handle.seek(toOffset: 0)
            response = URLResponse(
                url: url,
                mimeType: MediaType.type(ofFilename: url.lastPathComponent),
                expectedContentLength: Int(clamping: length),
                textEncodingName: nil
            )
        } catch {
            throw Self.failure(error, url)
        }
    }

    /// Where the file is that a URL names, if it is one: opening a pipe would wait for somebody to
    /// write to it.
    private static func regularFile(_ url: URL) throws -> URL {
        let path = url.path(percentEncoded: false)
        // A file on another machine isn't there.
        guard ["", "localhost"].contains(url.host()?.lowercased() ?? ""), !path.isEmpty,
            !path.contains("\0")
        else { throw CocoaError(.fileNoSuchFile) }
        let file = URL(filePath: path).resolvingSymlinksInPath()
        let attributes = try FileManager.default.attributesOfItem(
            atPath: file.path(percentEncoded: false)
        )
        switch attributes[.type] as? FileAttributeType {
        case .typeRegular: return file
        case .typeDirectory: throw failure(.fileIsDirectory, url, "it is a directory", nil)
        // One that leads nowhere.
        case .typeSymbolicLink: throw CocoaError(.fileNoSuchFile)
        default: throw failure(.resourceUnavailable, url, "it isn't a file", nil)
        }
    }

    func next() throws -> Data? {
        do {
            let piece = try handle.read(upToCount: LocalLoader.pieceSize)
            return piece.flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            throw Self.failure(error, url)
        }
    }

    /// What Foundation says of a file, as the URL loading system says it.
    static func failure(_ error: any Error, _ url: URL) -> URLError {
        if let error = error as? URLError { return error }
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile, .fileReadNoSuchFile, .fileReadInvalidFileName:
            return failure(.fileDoesNotExist, url, "there is no such file", error)
        case .fileReadNoPermission:
            return failure(.noPermissionsToReadFile, url, "the process may not read it", error)
        default:
            return failure(.resourceUnavailable, url, "it can't be read", error)
        }
    }

    private static func failure(
        _ code: URLError.Code,
        _ url: URL,
        _ reason: String,
        _ underlying: (any Error)?
    ) -> URLError {
        let path = url.path(percentEncoded: false)
        return URLError(code, url: url, reason: "\(path): \(reason)", underlying: underlying)
    }
}
