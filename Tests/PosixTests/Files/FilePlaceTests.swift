import Glibc
import TestSupport
import Testing

@testable import Posix

/// Whether two paths name the same file, also if it doesn't exist yet.
@Suite struct FilePlaceTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try FileSystem.makeDirectory(folder.path("sub"))
    }

    private func place(_ name: String) -> FilePlace? { FileSystem.place(of: folder.path(name)) }

    private func link(_ name: String, to target: String) {
        #expect(symlink(target, folder.path(name)) == 0)
    }

    @Test("All names of a file and links to it have the same place")
    func fileHasOnePlace() throws {
        let path = try folder.write("x", to: "file")
        link("soft", to: "file")
        link("sub/up", to: "../file")
        link("absolute", to: path)
        #expect(Glibc.link(path, folder.path("hard")) == 0)
        let place = try #require(self.place("file"))
        for name in ["soft", "sub/up", "absolute", "hard", "./file", "sub/../file", "/file"] {
            #expect(self.place(name) == place, "\(name)")
        }
        try folder.write("x", to: "other")
        #expect(self.place("other") != place)
    }

    @Test("All names of a missing file have the same place")
    func missingFileHasOnePlace() throws {
        link("dangling", to: "missing")
        link("sub/dangling", to: "../dangling")
        link("sub/here", to: "..")
        let place = try #require(self.place("missing"))
        for name in ["dangling", "sub/dangling", "./missing", "sub/../missing", "sub/here/missing"]
        {
            #expect(self.place(name) == place, "\(name)")
        }
        for name in ["other", "sub/missing", "missing/missing", "Missing"] {
            #expect(self.place(name) != place && self.place(name) != nil, "\(name)")
        }
        try folder.write("x", to: "missing")
        #expect(self.place("dangling") == self.place("missing"))
        #expect(self.place("missing") != place)
    }

    @Test("The place of a missing file includes its missing folders")
    func missingFoldersArePartOfTheName() throws {
        let place = try #require(self.place("a/b/file"))
        for name in ["a/./b/file", "a/x/../b/file", "a//b/file", "sub/../a/b/file"] {
            #expect(self.place(name) == place, "\(name)")
        }
        // What lies above a missing folder is unknown: it may become a link.
        #expect(self.place("a/../../file") == nil)
    }

    @Test(
        "Folders, pipes, devices and loops of links have no place",
        arguments: ["folder", "pipe", "device", "loop", "empty", "deep"]
    )
    func filesOfSeveralWritersHaveNoPlace(kind: String) throws {
        switch kind {
        case "folder": #expect(place("sub") == nil)
        case "pipe":
            #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
            #expect(place("pipe") == nil)
        case "device":
            link("null", to: "/dev/null")
            #expect(place("null") == nil)
        case "loop":
            link("one", to: "two")
            link("two", to: "one")
            #expect(place("one") == nil)
        case "empty":
            #expect(FileSystem.place(of: "") == nil)
        default:
            // The kernel follows 40 links at most.
            for number in 0..<50 { link("link-\(number)", to: "link-\(number + 1)") }
            #expect(place("link-0") == nil)
            #expect(place("link-20") == place("link-50"))
        }
    }

    @Test("The names of a file below a folder include those of its links' targets")
    func namesBelowAFolderIncludeTargets() throws {
        try folder.write("x", to: "sub/file")
        link("link", to: "sub/file")
        link("sub/out", to: "/dev/null")
        link("sub/chain", to: "../link")
        let names = { (name: String) in
            FileSystem.names(of: self.folder.path(name), below: self.folder.path)
        }
        #expect(names("sub/file") == ["sub/file"])
        #expect(names("link") == ["link", "sub/file"])
        #expect(names("sub/chain") == ["sub/chain", "link", "sub/file"])
        #expect(names("sub/out") == ["sub/out"])
        #expect(names("sub/../missing") == ["missing"])
        #expect(names("..") == [] && names(".") == [])
        #expect(names("missing/file") == [], "without its folder, no name is known")
        #expect(
            FileSystem.names(of: folder.path("sub/chain"), below: folder.path("sub"))
                == ["chain", "file"]
        )
    }

    @Test("A folder whose name begins with another folder's name isn't below it")
    func similarFolderIsNotBelow() throws {
        try FileSystem.makeDirectory(folder.path("sub-2"))
        #expect(
            FileSystem.names(of: folder.path("sub-2/file"), below: folder.path("sub")) == []
        )
        #expect(FileSystem.names(of: "/dev/null", below: "/") == ["dev/null"])
        #expect(FileSystem.names(of: "/null", below: "/") == ["null"])
        #expect(FileSystem.names(of: "/dev/null", below: folder.path("none")) == [])
    }

    @Test("The real path of a file below a folder is known, and links and dots don't lead out")
    func realPathStaysBelowTheFolder() throws {
        try FileSystem.makeDirectory(folder.path("sub-2"))
        try folder.write("x", to: "sub/file")
        try folder.write("x", to: "sub-2/file")
        link("sub/in", to: "file")
        link("sub/out", to: "../sub-2/file")
        link("alias", to: "sub")
        let path = { (name: String) throws(FileError) in
            try FileSystem.realPath(of: name, below: self.folder.path("sub"))
        }
        let file = try #require(try path("file"))
        #expect(file.hasSuffix("/sub/file"))
        for name in ["in", "./file", "../sub/file", folder.path("sub/file")] {
            #expect(try path(name) == file, "\(name)")
        }
        #expect(try FileSystem.realPath(of: "in", below: folder.path("alias")) == file)
        for name in ["out", "../sub-2/file", "..", ".", "/dev/null", folder.path("sub-2/file")] {
            #expect(try path(name) == nil, "\(name)")
        }
        #expect(try FileSystem.realPath(of: "dev/null", below: "/") == "/dev/null")
        for name in ["missing", "missing/../file", "file\0"] {
            #expect(throws: FileError.self, "\(name)") { try path(name) }
        }
        #expect(throws: FileError.self) {
            try FileSystem.realPath(of: "file", below: folder.path("none"))
        }
    }
}
