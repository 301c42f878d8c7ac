internal import Foundation
internal import Testing

/// Which way the arrows point: nothing in the toolchain keeps a target from importing what its
/// dependencies depend on.
@Suite struct ImportTests {
    private static let allowed: [String: Set<String>] = [
        "Curl": ["CCurl", "Glibc"],
        // Of Glibc the numbers of errors alone.
        "CurlTransport": ["Curl", "Glibc", "HTTPTypes", "Synchronization"],
        // Of Curl its files, its clock and its waiting tasks.
        "CurlURLSession": [
            "CPSL", "CSQLite", "Curl", "CurlTransport", "Dispatch", "Foundation", "HTTPTypes",
            "Synchronization",
        ],
        // Of Curl its files.
        "CurlNetworking": [
            "COpenSSL", "Curl", "CurlURLSession", "Dispatch", "Foundation", "Glibc",
            "Synchronization",
        ],
        "CurlNetworkingXML": [
            "CurlNetworking", "Foundation", "FoundationXML", "Synchronization",
        ],
        // Of Curl its files, clocks and URLs; of Glibc logarithms.
        "BatchFetch": [
            "COpenSSL", "CZlib", "Curl", "CurlTransport", "FoundationEssentials", "Glibc",
            "HTTPTypes", "Logging", "Synchronization",
        ],
        "BatchFetchCommand": [
            "ArgumentParser", "BatchFetch", "FoundationEssentials", "Glibc", "Logging",
            "Synchronization", "TOMLKit",
        ],
    ]

    /// C libraries, of which there are but headers.
    private static let systemLibraries: Set = ["COpenSSL", "CPSL", "CSQLite", "CZlib"]

    /// The modules that a file imports.
    private func imports(_ file: SourceTree.File) -> [String] {
        file.code.compactMap { line in
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: "import"), place <= 2, place + 1 < words.count,
                words[..<place].allSatisfy({ Self.isModifier($0) })
            else { return nil }
            // `import struct Module.Type` names the module second.
            let isKind = ["struct", "class", "enum", "func", "protocol", "typealias", "var"]
                .contains(String(words[place + 1]))
            let name = isKind && place + 2 < words.count ? words[place + 2] : words[place + 1]
            return name.split(separator: ".").first.map(String.init)
        }
    }

    private static func isModifier(_ word: Substring) -> Bool {
        ["public", "package", "internal", "fileprivate", "private"].contains(word)
            || word.hasPrefix("@")
    }

    @Test func everyTargetImportsWhatItMay() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: SourceTree.root.appendingPathComponent("Sources").path
        )
        let targets = Set(folders).subtracting(Self.systemLibraries)
        #expect(targets == Set(Self.allowed.keys), "a new target needs its row")
        for target in targets {
            let allowed = Self.allowed[target] ?? []
            let files = try SourceTree.swiftFiles("Sources/" + target)
            #expect(!files.isEmpty)
            for file in files {
                let forbidden = Set(imports(file)).subtracting(allowed)
                #expect(forbidden.isEmpty, "\(file) imports \(forbidden.sorted())")
            }
        }
    }

    /// The one file that chooses what programs are compiled against which are written for either.
    private static let chooser = "Tests/SameSource/FoundationNetworking/Module.swift"

    /// Above all not the other URLSession, nor what brings it along.
    @Test func nobodyImportsMoreOfFoundationThanItsBase() throws {
        let files = try SourceTree.swiftFiles("Sources") + SourceTree.swiftFiles("Tests")
        #expect(
            files.filter { imports($0).contains("FoundationNetworking") }.map(\.path)
                == [Self.chooser]
        )
        var count = 0
        for file in files where file.path != Self.chooser {
            let foundations = Set(imports(file).filter { $0.contains("Foundation") })
            count += foundations.count
            let usesXML = file.path.contains("/CurlNetworkingXML/") || file.name.hasPrefix("XML")
            let others = foundations.subtracting(["Foundation", "FoundationEssentials"])
                .subtracting(usesXML ? ["FoundationXML"] : [])
            #expect(others.isEmpty, "\(file) imports \(others.sorted())")
        }
        #expect(count > 0)
    }

    /// What both modules' programs share names neither.
    @Test func onlyOneLineTellsTheModulesApart() throws {
        let folder = "Tests/SameSource"
        let files = try SourceTree.swiftFiles(folder)
        let own = files.filter { !$0.path.hasPrefix(folder + "/Shared/") }
        for file in own { #expect(file.name == "Module" && imports(file).count == 1) }
        #expect(own.map { imports($0) }.contains(["FoundationNetworking"]))
        for file in files where file.name != "Module" {
            let others = Set(imports(file)).subtracting(["Foundation", "Synchronization"])
            #expect(others.isEmpty, "\(file) imports \(others.sorted())")
        }
        #expect(files.count > own.count)
    }

    @Test func everyImportSaysHowFarItReaches() throws {
        // What a layer brings along stands in one file.
        for file in try SourceTree.swiftFiles("Sources") where file.name != "Exports" {
            for line in file.code where line.hasPrefix("@_") {
                Issue.record("\(file) has \(line)")
            }
        }
    }
}
