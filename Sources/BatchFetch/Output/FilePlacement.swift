import Curl

/// Where in the output folder a body gets its name, and what becomes of a file that has it.
struct FilePlacement: Sendable {
    let folder: String
    let name: FileName
    let existing: FileNaming.Existing
    let claim: BodyClaim?
    /// Where the name may be another URL's: the names that have been given, and the URL.
    let taken: (names: TakenNames, url: String)?

    /// Makes the file; with the other name where another URL's file is in the place of a folder.
    func open() throws(FileError) -> TemporaryFile {
        try withName { path throws(FileError) in try TemporaryFile(for: path) }
    }

    /// Takes over a file that is on the same file system.
    func adopt(_ file: String) throws(FileError) -> TemporaryFile {
        try withName { path throws(FileError) in
            try FileSystem.makeParent(of: path)
            return try TemporaryFile(adopting: file, for: path)
        }
    }

    /// Gives a complete file its name.
    func place(_ file: consuming TemporaryFile) throws(FileError) -> BodyEnd {
        let whole = file.targetPath
        try claim?.take(whole, from: file.temporaryPath)
        switch existing {
        case .overwrite:
            guard take(whole) else { return .failed(.nameCollision(relative(whole))) }
            return .file(path: relative(try file.commit(fallback: "\(folder)/\(name.fallback)")))
        case .number:
            let path = try file.commit { number in FileName.numbered(whole, number) }
            return .file(path: relative(path))
        case .skip:
            // What is there is of an earlier run, or another URL's of this one, which has taken the name
            // before there was a file.
            let isThere = try FileSystem.kind(of: whole) != nil
            guard isThere ? !isForeign(whole) : take(whole) else {
                return .failed(.nameCollision(relative(whole)))
            }
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

    /// Takes the name, if no other URL's body has it.
    private func take(_ path: String) -> Bool {
        taken.map { $0.names.take(relative(path), for: $0.url) } ?? true
    }

    private func isForeign(_ path: String) -> Bool {
        taken.map { $0.names.isForeign(relative(path), for: $0.url) } ?? false
    }

    private func relative(_ path: String) -> String {
        String(path.dropFirst(folder.count + 1))
    }

    private func withName(
        _ make: (String) throws(FileError) -> TemporaryFile
    ) throws(FileError) -> TemporaryFile {
        do {
            return try Self.withFolder("\(folder)/\(name.path)", make)
        } catch {
            guard error.isNameTaken else { throw error }
            return try Self.withFolder("\(folder)/\(name.fallback)", make)
        }
    }

    /// Makes the folders above the file where they are missing.
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
