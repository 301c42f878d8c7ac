import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Small text files that are read and written as a whole.
@Suite struct TextFileTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("A text file is read if it is UTF-8 and has at most 1 MiB")
    func textIsReadUpToALimit() throws {
        #expect(try TextFile.text(of: folder.write("", to: "empty")) == "")
        #expect(try TextFile.text(of: folder.write("é\r\n", to: "text")) == "é\r\n")
        let longest = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(try TextFile.text(of: folder.write(longest, to: "long")).utf8.count == 1 << 20)
        let long = try folder.write(longest + [0x61], to: "longer")
        let tooLong = #expect(throws: BatchFailure.self) { _ = try TextFile.text(of: long) }
        #expect(tooLong?.message == "“\(long)” is longer than 1 MiB")
        let latin = try folder.write([0x61, 0xe9], to: "latin")
        let other = #expect(throws: BatchFailure.self) { _ = try TextFile.text(of: latin) }
        #expect(other?.message == "“\(latin)” is not UTF-8")
        let missing = #expect(throws: BatchFailure.self) { _ = try TextFile.text(of: "/none/x") }
        #expect(missing?.code == .configuration && missing?.message.contains("“/none/x”") == true)
    }

    @Test("Writing replaces a file, and follows a link or writes to a device")
    func fileIsReplaced() throws {
        let path = try folder.write("a longer old text", to: "file")
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber]
        try TextFile.write("new", to: path)
        let after = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber]
        #expect(try folder.read("file") == Array("new".utf8))
        #expect(before as? Int != after as? Int)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"),
            withDestinationPath: "file"
        )
        try TextFile.write("n", to: folder.path("link"))
        #expect(try folder.read("file") == Array("n".utf8))
        #expect(try folder.contents() == ["file", "link"])
        try TextFile.write("x", to: "/dev/null")
    }

    @Test("A new file gets the given permissions, also where a link leads")
    func newFileHasThePermissions() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"),
            withDestinationPath: "target"
        )
        for (name, file) in [("file", "file"), ("link", "target")] {
            try TextFile.write("s3cret", to: folder.path(name), mode: 0o600)
            let facts = try FileManager.default.attributesOfItem(atPath: folder.path(file))
            #expect(facts[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test("Checking whether a file can be written neither creates nor changes it")
    func checkingChangesNothing() throws {
        let path = try folder.write("old", to: "file")
        try TextFile.check(path)
        try TextFile.check(folder.path("new"))
        try TextFile.check("-")
        try TextFile.check("/dev/null")
        #expect(try folder.contents() == ["file"])
        #expect(try folder.read("file") == Array("old".utf8))
        for path in [folder.path("none/x"), "/dev/null/x"] {
            let failure = #expect(throws: BatchFailure.self) { try TextFile.check(path) }
            #expect(failure?.code == .output)
            #expect(failure?.message.hasSuffix(": name a file that can be written") == true)
        }
    }
}
