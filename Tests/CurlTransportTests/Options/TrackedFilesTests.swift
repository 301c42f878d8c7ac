internal import Curl
import Posix
import TestSupport
import Testing

@testable import CurlTransport

struct TrackedFilesTests {
    private let folder: TemporaryDirectory
    private let start = MonotonicTime.now.advanced(by: .seconds(10))

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func paths(_ settings: FileSettings) -> [String] {
        settings.settings.compactMap { if case .text(_, let path) = $0 { path } else { nil } }
    }

    @Test("A file keeps its path until it is replaced")
    func fileKeepsItsPathUntilReplaced() throws {
        let path = try folder.write("one", to: "ca.pem")
        let files = try #require(TrackedFiles([TrackedFiles.File(.caInfo, [path])]))
        let first = files.settings(at: start, opensConnection: true)
        #expect(paths(first) == [path])
        #expect(files.settings(at: start, opensConnection: true) === first)

        let next = try folder.write("two", to: "next")
        try FileSystem.rename(next, to: path)
        let second = files.settings(at: start, opensConnection: true)
        #expect(second !== first)
        #expect(paths(second) != [path])
        #expect(try FileSystem.version(of: #require(paths(second).first)) != nil)
        #expect(FileSystem.version(of: path) == FileSystem.version(of: paths(second)[0]))
        #expect(files.settings(at: start, opensConnection: true) === second)
    }

    @Test("A file gets a new path when it is written to")
    func fileThatIsWrittenToHasAnotherPath() throws {
        let path = try folder.write("one", to: "ca.pem")
        let files = try #require(TrackedFiles([TrackedFiles.File(.caInfo, [path])]))
        try FileDescriptor.openForWriting(path, creation: .appending).write([65])
        #expect(paths(files.settings(at: start, opensConnection: true)) != [path])
    }

    @Test("Files are checked once a second when connections are reused")
    func filesAreCheckedOncePerSecond() throws {
        let path = try folder.write("one", to: "ca.pem")
        let files = try #require(TrackedFiles([TrackedFiles.File(.caInfo, [path])]))
        let first = files.settings(at: start, opensConnection: true)
        try folder.write("other", to: "ca.pem")
        let later = start.advanced(byNanoseconds: TrackedFiles.interval)
        let before = later.advanced(byNanoseconds: -1)
        #expect(files.settings(at: before, opensConnection: false) === first)
        #expect(files.settings(at: later, opensConnection: false) !== first)
    }

    @Test("A certificate gets a new path when its key changes")
    func newKeyGivesTheCertificateAnotherPath() throws {
        let certificate = try folder.write("certificate", to: "client.pem")
        let key = try folder.write("key", to: "client.key")
        let file = TrackedFiles.File(.sslCertificate, [certificate, key])
        let files = try #require(TrackedFiles([file]))
        try folder.write("longer key", to: "client.key")
        #expect(paths(files.settings(at: start, opensConnection: true)) != [certificate])
    }

    @Test("A removed file keeps its last path")
    func removedFileKeepsItsPath() throws {
        let path = try folder.write("one", to: "ca.pem")
        let files = try #require(TrackedFiles([TrackedFiles.File(.caInfo, [path])]))
        try folder.write("other", to: "ca.pem")
        let last = files.settings(at: start, opensConnection: true)
        try FileSystem.remove(path)
        #expect(files.settings(at: start, opensConnection: true) === last)
    }

    @Test("Earlier and later options use the same version of a file")
    func laterOptionsSeeTheSameVersion() throws {
        let path = try folder.write("one", to: "ca.pem")
        let file = TrackedFiles.File(.caInfo, [path])
        let early = try #require(TrackedFiles([file]))
        try folder.write("other", to: "ca.pem")
        let late = try #require(TrackedFiles([file]))
        let paths = paths(late.settings(at: start, opensConnection: false))
        #expect(paths != [path])
        #expect(self.paths(early.settings(at: start, opensConnection: true)) == paths)
    }

    @Test("File versions keep distinct numbers when the table evicts entries")
    func versionsHaveNumbersOfTheirOwn() throws {
        var versions: [FileVersion] = []
        for number in 0..<3 {
            try versions.append(
                #require(FileSystem.version(of: folder.write("v", to: "\(number)")))
            )
        }
        var table = FileVersionTable(capacity: 2)
        #expect(table.number(of: ["a"], [versions[0]]) == 0)
        #expect(table.number(of: ["b"], [versions[0]]) == 0)
        #expect(table.number(of: ["a"], [versions[1]]) == 1)
        #expect(table.number(of: ["a"], [versions[1]]) == 1)
        #expect(table.number(of: ["a"], [versions[0]]) == 2)
        // The table evicts the other entries.
        #expect(table.number(of: ["c"], [versions[2]]) == 3)
        #expect(table.number(of: ["a"], [versions[2]]) == 3)
        #expect(table.number(of: ["a"], [versions[0]]) == 4)
    }

    @Test("Each variant of a path is a different path to the same file")
    func variantsNameTheSameFile() throws {
        let path = try folder.write("one", to: "ca.pem")
        let version = FileSystem.version(of: path)
        let numbers: [UInt64] = Array(0..<300) + [.max, .max - 1, 1 << 63]
        let variants = numbers.map { PathVariant.path(path, $0) }
        #expect(Set(variants).count == numbers.count)
        #expect(variants.allSatisfy { FileSystem.version(of: $0) == version })
        #expect(PathVariant.path("a/b", 0) == "a/b")
        #expect(PathVariant.path("a/b", 2) == ".//./a/b")
    }
}
