import Curl

/// Where in the output folder a body gets its name, and what becomes of a file that has it.
struct FilePlacement: Sendable {
    let folder: String
    let name: FileName
    let existing: FileNaming.Existing
    let claim: BodyClaim?
    /// Where the name may be another URL's: the names that have been given, and the URL.
    let taken: (names: TakenNames, url: String)?
    /// Names of files that are none of bodies, and stay.
    var spared: Set<String> = []
    /// What the file is called while it is written, where that is to be known.
    var temporaryName: String?

    /// Makes the file; with the other name where another URL's file is in the place of a folder.
    func open() throws(FileError) -> TemporaryFile {
        try withName { path throws(FileError) in
            guard let temporaryName else { return try TemporaryFile(for: path) }
            return try TemporaryFile(for: path, named: temporaryName)
        }
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
        let isSpared = !spared.isEmpty && spared.contains(relative(file.targetPath))
        guard !isSpared || existing == .number else {
            return .failed(.ownFile(relative(file.targetPath)))
        }
        switch existing {
        case .overwrite:
            let whole = file.targetPath
            guard take(whole) else { return .failed(.nameCollision(relative(whole))) }
            return .file(path: relative(try file.commit(fallback: fallback)))
        case .number:
            let whole = file.targetPath
            try claim?.take(whole, from: file.temporaryPath)
            let first = isSpared ? 1 : 0
            let path = try file.commit { number in FileName.numbered(whole, number + first) }
            return .file(path: relative(path))
        case .skip, .error:
            return try placeBeside(file)
        }
    }

    /// Gives a complete file its name, and leaves alone what has it.
    private func placeBeside(_ file: consuming TemporaryFile) throws(FileError) -> BodyEnd {
        let path = try Self.place(file.targetPath, else: fallback)
        try claim?.take(path, from: file.temporaryPath)
        // What is there is of an earlier run, or another URL's of this one, which has taken the name
        // before there was a file.
        let isThere = try FileSystem.kind(of: path) != nil
        guard isThere ? !isForeign(path) && claim?.isAnothers(path) != true : take(path) else {
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

    /// The path, if a file has it or can have it, and else the other one.
    static func place(
        _ path: String,
        else fallback: @autoclosure () -> String
    ) throws(FileError) -> String {
        do throws(FileError) {
            guard try FileSystem.plainKind(of: path) != nil else { return path }
            // A link is as good as the file that it leads to.
            return try FileSystem.kind(of: path) == .regular ? path : fallback()
        } catch {
            // A file is where it needs a folder.
            guard error.isNameTaken else { throw error }
            return fallback()
        }
    }

    private var fallback: String { "\(folder)/\(name.fallback)" }

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
            return try Self.withFolder(fallback, make)
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
