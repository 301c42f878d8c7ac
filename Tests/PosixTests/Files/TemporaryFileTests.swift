import Glibc
import TestSupport
import Testing

@testable import Posix

@Suite struct TemporaryFileTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func targetAppearsOnCommit() throws {
        let file = try TemporaryFile(for: "\(folder.path)/target")
        try file.write(Array("complete".utf8))
        #expect(try folder.contents().count == 1)
        #expect(try folder.contents().contains("target") == false)
        try file.commit(synchronizing: true)
        #expect(try folder.contents() == ["target"])
        #expect(try folder.read("target") == Array("complete".utf8))
    }

    /// A file left by a killed process is overwritten; a file that another writer has open isn't.
    @Test func givenNameIsUsedUnlessTaken() throws {
        let target = "\(folder.path)/target"
        let left = try FileDescriptor.openForWriting("\(folder.path)/.known", creation: .truncating)
        try left.write(Array("left by a kill".utf8))
        try left.close()
        let first = try TemporaryFile(for: target, named: ".known")
        try first.write(Array("first".utf8))
        let second = try TemporaryFile(for: "\(folder.path)/other", named: ".known")
        try second.write(Array("second".utf8))
        #expect(try folder.contents().count == 2)
        try first.commit()
        try second.commit()
        #expect(try folder.contents().sorted() == ["other", "target"])
        #expect(try folder.read("target") == Array("first".utf8))
        #expect(try folder.read("other") == Array("second".utf8))
    }

    @Test func modeIsSetAtCreation() throws {
        let file = try TemporaryFile(for: "\(folder.path)/target", mode: 0o600)
        #expect(try FileSystem.permissions(of: file.temporaryPath) == 0o600)
        try file.commit()
        #expect(try FileSystem.permissions(of: "\(folder.path)/target") == 0o600)
    }

    /// Whether the folder is on a tmpfs according to the kernel.
    private func isOnTmpfs(_ folder: String) throws -> Bool {
        let mounts = try FileDescriptor.openForReading("/proc/self/mounts")
        var bytes: [UInt8] = []
        while try mounts.read(appendingTo: &bytes, upTo: 64 << 10) > 0 {}
        var found = (place: "", type: "")
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: " ").map { String($0) }
            let prefix = fields[1].hasSuffix("/") ? fields[1] : fields[1] + "/"
            guard (folder + "/").hasPrefix(prefix), prefix.count >= found.place.count else {
                continue
            }
            found = (prefix, fields[2])
        }
        return found.type == "tmpfs"
    }

    private static let places: [String] = ["/dev/shm", "/var/tmp", "/tmp"].filter { place in
        access(place, W_OK) == 0
    }

    @Test(arguments: places)
    func isInMemoryDependsOnFileSystem(place: String) throws {
        let file = try TemporaryFile(for: "\(place)/curlnetworking-place-\(getpid())")
        #expect(try file.isInMemory == isOnTmpfs(place))
    }

    @Test func releasedTemporaryFileIsRemoved() throws {
        do {
            let file = try TemporaryFile(for: "\(folder.path)/target")
            let bytes: [UInt8] = [1, 2, 3]
            try file.write(bytes.span)
        }
        #expect(try folder.contents() == [])
    }

    @Test func existingTargetIsReplaced() throws {
        for text in ["old", "new"] {
            let file = try TemporaryFile(for: "\(folder.path)/target")
            try file.write(Array(text.utf8))
            try file.commit()
        }
        #expect(try folder.contents() == ["target"])
        #expect(try folder.read("target") == Array("new".utf8))
    }

    @Test func existingTargetIsKeptWithoutReplacing() throws {
        let first = try TemporaryFile(for: "\(folder.path)/target")
        try first.commit(replacing: false)
        let error = #expect(throws: FileError.self) {
            let second = try TemporaryFile(for: "\(folder.path)/target")
            let bytes: [UInt8] = [1]
            try second.write(bytes.span)
            try second.commit(replacing: false)
        }
        #expect(error?.isExistingFile == true)
        #expect(try folder.contents() == ["target"])
        #expect(try folder.read("target") == [])
    }

    @Test func directoryAsTargetIsAnErrorAndLeavesNoFile() throws {
        try FileSystem.makeDirectory("\(folder.path)/target")
        defer { rmdir("\(folder.path)/target") }
        #expect(throws: FileError.self) {
            try TemporaryFile(for: "\(folder.path)/target").commit()
        }
        #expect(try folder.contents() == ["target"])
    }

    @Test func nameOfMaximumLengthFits() throws {
        let name = String(repeating: "x", count: 255)
        try TemporaryFile(for: "\(folder.path)/\(name)").commit()
        #expect(try folder.contents() == [name])
    }

    @Test func parentDirectoriesAreCreated() throws {
        let path = "\(folder.path)/a/b/c"
        defer { for end in ["a/b/c", "a/b", "a"] { rmdir("\(folder.path)/\(end)") } }
        try FileSystem.makeDirectory(path)
        try FileSystem.makeDirectory(path)
        #expect(try FileSystem.kind(of: path) == .directory)
        #expect(try FileSystem.kind(of: "\(path)/d") == nil)
    }

    @Test func fileInPlaceOfDirectoryIsAnError() throws {
        try TemporaryFile(for: "\(folder.path)/a").commit()
        for path in ["a", "a/b"] {
            let error = #expect(throws: FileError.self) {
                try FileSystem.makeDirectory("\(folder.path)/\(path)")
            }
            #expect(error?.errno == ENOTDIR)
        }
    }
}
