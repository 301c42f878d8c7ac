import Posix

/// A body that becomes an object when it is complete.
final class UploadedBody: WrittenBody {
    /// The longest key in bytes.
    private static let longestKey = 1_024

    private let content: SpooledBody
    private let uploads: ObjectUploads
    private let name: String
    private let contentType: String?
    /// The registry of names and the URL. `nil` if the name needs no registration.
    private let taken: (names: NameRegistry, url: String)?

    /// - Parameter folder: The folder of the anonymous files of large bodies.
    init(
        _ name: FileName,
        in uploads: ObjectUploads,
        folder: String,
        contentType: String?,
        taken: (names: NameRegistry, url: String)?
    ) {
        let isShort = uploads.storage.key(name.path).utf8.count <= Self.longestKey
        self.name = isShort ? name.path : name.fallback
        self.uploads = uploads
        self.contentType = contentType.flatMap { Self.signable($0) }
        self.taken = taken
        content = SpooledBody(folder: folder)
    }

    /// A media type with single spaces, as signatures have it; `nil` if it has other characters than
    /// ASCII.
    static func signable(_ contentType: String) -> String? {
        let words = contentType.split { $0 == " " || $0 == "\t" }
        let text = words.joined(separator: " ")
        let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        return isPlain && (1...255).contains(text.utf8.count) ? text : nil
    }

    func append(_ bytes: [UInt8]) throws(BatchFailure) {
        do throws(FileError) {
            try content.append(bytes)
        } catch {
            throw uploads.failure(.file(error), storing: name)
        }
    }

    func commit(_ done: @escaping @Sendable (BodyEnd) -> Void) {
        guard taken?.names.take(name, for: taken?.url ?? "") ?? true else {
            content.drop()
            return done(.failed(.nameCollision(name)))
        }
        uploads.store(content, as: name, contentType: contentType) { [name] failure in
            done(failure.map { .failed($0) } ?? .file(path: name))
        }
    }

    func drop() { content.drop() }
}
