import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The destinations of bodies, and their folders.
@Suite struct BatchOutputTests {
    private static let outputs: [BatchOutput] = [
        .discard, .memory(limit: 1), .standardOutput, .tar(in: "t", limit: .entries(1)),
        .warc(in: "w", limit: .entries(1)),
    ]

    @Test func onlyAFolderOfFilesKeepsExistingOnes() {
        for output in Self.outputs {
            #expect(output.namingFolder == nil && !output.keepsExisting)
        }
        #expect(BatchOutput.directory("out").namingFolder == "out")
        let kept = FileNaming.Existing.allCases.filter {
            BatchOutput.directory("out", naming: FileNaming(existing: $0)).keepsExisting
        }
        #expect(Set(kept) == [.skip, .error, .number])
    }

    @Test func onlyWARCKeepsTheTransferredBytes() {
        #expect(Self.outputs.map(\.keepsTransferred) == [false, false, false, false, true])
        #expect(!BatchOutput.directory("out").keepsTransferred)
    }

    // MARK: Folders

    @Test func folderIsCreatedWithItsParents() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("a/b/c")
        for _ in 0..<2 { try BatchOutput.makeFolder(path) }
        #expect(try FileSystem.kind(of: path) == .directory)
    }

    @Test(arguments: ["file", "file/below"])
    func fileAtThePathOfAFolderIsReported(name: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write("content", to: "file")
        let failure = #expect(throws: BatchFailure.self) {
            try BatchOutput.makeFolder(folder.path(name))
        }
        #expect(failure?.code == .output)
        #expect(failure?.message.hasPrefix("cannot create folder “\(folder.path)/file") == true)
        #expect(failure?.message.hasSuffix(": name a folder that exists or can be created") == true)
        #expect(try folder.read("file") == Array("content".utf8))
    }

    // MARK: Archives

    @Test(arguments: [
        (ArchiveLimit.bytes(1000), 999, 1_000_000, false), (.bytes(1000), 1000, 0, true),
        (.entries(3), 1_000_000, 2, false), (.entries(3), 0, 3, true), (.entries(3), 0, 4, true),
    ])
    func archiveIsFullAtItsOwnLimit(limit: ArchiveLimit, bytes: Int64, entries: Int, isFull: Bool) {
        #expect(limit.isReached(bytes: bytes, entries: entries) == isFull)
    }
}
