import Posix
import Synchronization

/// Where a body's file goes, and what happens to existing files.
struct FilePlacement: Sendable {
    let folder: String
    let name: FileName
    let existing: FileNaming.Existing
    let claim: BodyClaim?
    /// The registry of names and the URL. `nil` if the name needs no registration.
    let taken: (names: NameRegistry, url: String)?
    /// The names of protected files.
    var protectedNames: Set<String> = []
    /// The file's time of modification, in seconds since 1970; `nil` for that of writing.
    var modificationTime: Int64?
    /// The file's temporary name, if it must be known.
    var temporaryName: String?

    /// Creates the file. Uses the fallback name if another URL's file is where a folder is needed.
    func open() throws(FileError) -> TemporaryFile {
        try withName { path throws(FileError) in
            guard let temporaryName else { return try TemporaryFile(for: path) }
            return try TemporaryFile(for: path, named: temporaryName)
        }
    }

    /// Uses an existing file on the same file system.
    func adopt(_ file: String) throws(FileError) -> TemporaryFile {
        try withName { path throws(FileError) in
            try FileSystem.makeParent(of: path)
            return try TemporaryFile(adopting: file, for: path)
        }
    }

    /// Gives a complete file its final name.
    func place(_ file: consuming TemporaryFile) throws(FileError) -> BodyEnd {
        let isProtected =
            !protectedNames.isEmpty && protectedNames.contains(relative(file.targetPath))
        guard !isProtected || existing == .number else {
            return .failed(.ownFile(relative(file.targetPath)))
        }
        // Some file systems have no such time, which is no reason to lose the body.
        if let modificationTime { try? file.setModificationTime(modificationTime) }
        switch existing {
        case .overwrite:
            let whole = file.targetPath
            guard take(whole) else { return .failed(.nameCollision(relative(whole))) }
            return .file(path: relative(try file.commit(fallback: fallback)))
        case .number:
            let whole = file.targetPath
            try claim?.take(whole, from: file.temporaryPath)
            let first = isProtected ? 1 : 0
            let path = try file.commit { number in FileName.numbered(whole, number + first) }
            return .file(path: relative(path))
        case .skip, .error:
            return try placeBeside(file)
        }
    }

    /// Gives a complete file its final name without replacing an existing file.
    private func placeBeside(_ file: consuming TemporaryFile) throws(FileError) -> BodyEnd {
        let path = try Self.place(file.targetPath, else: fallback)
        try claim?.take(path, from: file.temporaryPath)
        // An existing file is from an earlier run, or from another URL of this run, which
        // registered the name before the file existed.
        let exists = try FileSystem.kind(of: path) != nil
        guard exists ? !isForeign(path) && claim?.belongsToAnotherURL(path) != true : take(path)
        else {
            return .failed(.nameCollision(relative(path)))
        }
        do throws(FileError) {
            return .file(path: relative(try file.commit(exclusivelyAs: [path, fallback])))
        } catch {
            guard error.isExistingFile else { throw error }
            let name = relative(error.path)
            return existing == .skip ? .existing(path: name) : .failed(.existingFile(name))
        }
    }

    /// Returns `path` if a regular file has or can have it. Otherwise returns the fallback.
    static func place(
        _ path: String,
        else fallback: @autoclosure () -> String
    ) throws(FileError) -> String {
        do throws(FileError) {
            guard try FileSystem.plainKind(of: path) != nil else { return path }
            // A symbolic link counts as its target.
            return try FileSystem.kind(of: path) == .regular ? path : fallback()
        } catch {
            // A file exists where the path needs a folder.
            guard error.isNameTaken else { throw error }
            return fallback()
        }
    }

    private var fallback: String { "\(folder)/\(name.fallback)" }

    /// Registers the name; false if another URL's body has it.
    private func take(_ path: String) -> Bool {
        taken.map { $0.names.take(relative(path), for: $0.url) } ?? true
    }

    private func isForeign(_ path: String) -> Bool {
        taken.map { $0.names.isForeign(relative(path), for: $0.url) } ?? false
    }

    private func relative(_ path: String) -> String { Self.name(of: path, in: folder) }

    /// The name of a file below `folder`.
    static func name(of path: String, in folder: String) -> String {
        // Bytes are counted: a combining mark would be one character with the slash before it.
        String(Substring(path.utf8.dropFirst(folder.utf8.count + 1)))
    }

    private func withName(
        _ make: (String) throws(FileError) -> TemporaryFile
    ) throws(FileError) -> TemporaryFile {
        do {
            return try Self.withFolder("\(folder)/\(name.path)", make)
        } catch {
            guard error.isNameTaken else { throw error }
            return try Self.withFolder(fallback, make)
        }
    }

    /// Creates missing folders above the file.
    private static func withFolder(
        _ path: String,
        _ make: (String) throws(FileError) -> TemporaryFile
    ) throws(FileError) -> TemporaryFile {
        do {
            return try make(path)
        } catch {
            guard error.isMissingFile else { throw error }
            try FileSystem.makeParent(of: path)
            return try make(path)
        }
    }
}

/// A body with a file of its own. The file gets its name when it is complete.
final class NamedFile: DiskBody {
    /// Used only by the disk threads, one at a time. The lock is never contended.
    private let file = Mutex<TemporaryFile?>(nil)
    private let placement: FilePlacement

    init(_ placement: FilePlacement) {
        self.placement = placement
    }

    func append(_ bytes: [UInt8]) throws(BatchFailure) {
        do throws(FileError) {
            try file.withLock { file throws(FileError) in
                if file == nil { file = try placement.open() }
                try file?.write(bytes)
            }
        } catch {
            throw BatchFailure(.output, error)
        }
    }

    func drop() {
        file.withLock { $0 = nil }
    }

    func commit() throws(BatchFailure) -> BodyEnd {
        do throws(FileError) {
            let file = try file.withLock { file throws(FileError) in
                if file == nil { file = try placement.open() }
                return file.take()
            }
            guard let file else { return .dropped }
            return try placement.place(file)
        } catch {
            throw BatchFailure(.output, error)
        }
    }
}
