internal import Foundation

// `@unchecked Sendable`: all properties are constant. The file handle isn't shared: one load owns
// it, and reads it on a serial queue.
/// The open file of a `file:` URL.
struct LocalFile: LocalContent, @unchecked Sendable {
    private let url: URL
    private let handle: FileHandle
    /// Its length is that of the file when it was opened.
    let response: URLResponse

    /// Opens a file. May block on the disk.
    ///
    /// - Throws: `URLError` with `fileDoesNotExist`, `fileIsDirectory`, `noPermissionsToReadFile`,
    ///   or `resourceUnavailable` for anything other than a regular file, such as a pipe or a
    ///   device.
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

    /// Returns the path of the regular file that a URL names. Checked first, because opening a pipe
    /// would block until a writer opens it.
    private static func regularFile(_ url: URL) throws -> URL {
        let path = url.path(percentEncoded: false)
        // Files of other hosts can't be read.
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
        // A symbolic link without a target.
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

    /// Converts a Foundation file error to a `URLError`.
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
