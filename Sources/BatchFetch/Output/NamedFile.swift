import Curl
import Synchronization

/// A body that becomes a file of its own. The file appears under its name when it is complete.
final class NamedFile: DiskBody {
    /// For the disk threads alone, one at a time: nobody waits for this lock.
    private let file = Mutex<TemporaryFile?>(nil)
    private let folder: String
    private let name: FileName
    private let existing: FileNaming.Existing
    private let claim: BodyClaim?

    init(
        folder: String,
        name: FileName,
        existing: FileNaming.Existing,
        claim: BodyClaim? = nil
    ) {
        self.folder = folder
        self.name = name
        self.existing = existing
        self.claim = claim
    }

    func append(_ bytes: [UInt8]) throws(BatchFailure) {
        do throws(FileError) {
            try file.withLock { file throws(FileError) in
                if file == nil { file = try open() }
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
                if file == nil { file = try open() }
                return file.take()
            }
            guard let file else { return .dropped }
            return try name(file)
        } catch {
            throw BatchFailure(.output, error)
        }
    }

    private func name(_ file: consuming TemporaryFile) throws(FileError) -> BodyEnd {
        let whole = file.targetPath
        try claim?.take(whole, from: file.temporaryPath)
        switch existing {
        case .overwrite:
            return .file(path: relative(try file.commit(fallback: "\(folder)/\(name.fallback)")))
        case .number:
            let path = try file.commit { number in FileName.numbered(whole, number) }
            return .file(path: relative(path))
        case .skip:
            do throws(FileError) {
                try file.commit(replacing: false)
            } catch {
                guard error.isExistingFile else { throw error }
                return .existing(path: relative(whole))
            }
            return .file(path: relative(whole))
        case .error:
            try file.commit(replacing: false)
            return .file(path: relative(whole))
        }
    }

    private func relative(_ path: String) -> String {
        String(path.dropFirst(folder.count + 1))
    }

    /// Makes the file; with the other name where another URL's file is in the place of a folder.
    private func open() throws(FileError) -> TemporaryFile {
        do {
            return try Self.make("\(folder)/\(name.path)")
        } catch {
            guard error.isNameTaken else { throw error }
            return try Self.make("\(folder)/\(name.fallback)")
        }
    }

    /// Makes the file, and the folders above it where they are missing.
    private static func make(_ path: String) throws(FileError) -> TemporaryFile {
        do {
            return try TemporaryFile(for: path)
        } catch {
            guard error.isMissingFile else { throw error }
            try FileSystem.makeParent(of: path)
            return try TemporaryFile(for: path)
        }
    }
}
