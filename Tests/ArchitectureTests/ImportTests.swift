internal import Foundation
internal import Testing

/// Checks which modules each target imports. The toolchain doesn't: it lets a target import the
/// dependencies of its dependencies.
@Suite struct ImportTests {
    private static let allowed: [String: Set<String>] = [
        "Posix": ["CPosix", "Glibc", "Synchronization"],
        "HTTPSemantics": ["COpenSSL"],
        "ContentCoding": ["CCodings", "CZlib"],
        "Curl": ["CCurl", "Glibc", "Posix", "Synchronization"],
        // From Glibc only the errno values.
        "CurlTransport": [
            "ContentCoding", "Curl", "DequeModule", "Glibc", "HTTPSemantics", "HTTPTypes", "Posix",
            "Synchronization",
        ],
        "CurlTransportFoundation": ["CurlTransport", "FoundationEssentials"],
        "CurlTransportTesting": [
            "CurlTransport", "Glibc", "HTTPSemantics", "HTTPTypes", "Posix", "Synchronization",
        ],
        "CurlResilience": [
            "CurlTransport", "DequeModule", "HTTPSemantics", "HTTPTypes", "Posix",
            "Synchronization",
        ],
        "CurlServices": [
            "Configuration", "CoreMetrics", "CurlTransport", "HTTPTypes", "Logging",
            "ServiceLifecycle", "Synchronization", "Tracing",
        ],
        "PublicSuffix": ["CPSL", "HTTPSemantics", "Synchronization"],
        "CurlURLSession": [
            "CSQLite", "CurlTransport", "DequeModule", "Dispatch", "Foundation", "HTTPSemantics",
            "HTTPTypes", "Posix", "PublicSuffix", "Synchronization",
        ],
        "CurlURLSessionTesting": [
            "CurlTransport", "CurlURLSession", "Foundation", "HTTPTypes", "Synchronization",
        ],
        "CurlNetworking": [
            "COpenSSL", "CurlURLSession", "DequeModule", "Dispatch", "Foundation", "Glibc",
            "HTTPSemantics",
            "Posix", "Synchronization",
        ],
        "CurlNetworkingXML": [
            "CurlNetworking", "Foundation", "FoundationXML", "Synchronization",
        ],
        "BatchFetch": [
            "CZlib", "CurlResilience", "CurlTransport", "DequeModule", "FoundationEssentials",
            "HTTPSemantics", "HeapModule", "HTTPTypes", "Logging", "Posix", "PublicSuffix",
            "Synchronization",
        ],
        // From Glibc logarithms.
        "BatchReport": ["BatchFetch", "FoundationEssentials", "Glibc", "Posix"],
        "BatchFleet": [
            "BatchFetch", "CPostgres", "FoundationEssentials", "Posix", "Synchronization",
        ],
        "BatchFetchCommand": [
            "ArgumentParser", "BatchFetch", "BatchFleet", "BatchReport", "FoundationEssentials",
            "Glibc", "Logging", "Posix", "Synchronization",
        ],
    ]

    /// Targets of C libraries, which contain only headers.
    private static let systemLibraries: Set = [
        "CCodings", "COpenSSL", "CPosix", "CPostgres", "CPSL", "CSQLite", "CZlib",
    ]

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

    @Test func targetsImportOnlyAllowedModules() throws {
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

    /// The one file that selects the module that the same-source programs are compiled against.
    private static let chooser = "Tests/SameSource/FoundationNetworking/Module.swift"

    /// Importing FoundationNetworking would bring in the other URLSession.
    @Test func onlyXMLCodeImportsMoreThanFoundation() throws {
        let files = try SourceTree.swiftFiles("Sources") + SourceTree.swiftFiles("Tests")
        #expect(
            files.filter { imports($0).contains("FoundationNetworking") }.map(\.path)
                == [Self.chooser]
        )
        var count = 0
        for file in files where file.path != Self.chooser {
            let foundations = Set(imports(file).filter { $0.contains("Foundation") })
                .subtracting(["CurlTransportFoundation"])
            count += foundations.count
            let usesXML =
                file.path.contains("/CurlNetworkingXML/") || file.name.hasPrefix("XML")
                || file.path.hasPrefix("Tests/DocumentationTests/")
            let others = foundations.subtracting(["Foundation", "FoundationEssentials"])
                .subtracting(usesXML ? ["FoundationXML"] : [])
            #expect(others.isEmpty, "\(file) imports \(others.sorted())")
        }
        #expect(count > 0)
    }

    /// The shared sources of the same-source programs import neither module.
    @Test func sameSourceProgramsDifferInOneImport() throws {
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

    @Test func reexportsAreOnlyInExportsFiles() throws {
        // The re-exports of a layer are in `Exports.swift`.
        for file in try SourceTree.swiftFiles("Sources") where file.name != "Exports" {
            for line in file.code where line.hasPrefix("@_") {
                Issue.record("\(file) has \(line)")
            }
        }
    }
}
