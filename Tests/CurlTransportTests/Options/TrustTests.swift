import Curl
import Posix
import Testing

@testable import CurlTransport

@Suite struct TrustTests {
    private let digest = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test func pinsAreDigests() throws {
        #expect(try PublicKeyPins.joined([], "p") == nil)
        #expect(try PublicKeyPins.joined([digest], "p") == "sha256//" + digest)
        let both = try PublicKeyPins.joined([digest, "sha256//" + digest], "p")
        #expect(both == "sha256//\(digest);sha256//\(digest)")
    }

    @Test(arguments: [
        "", "sha256//", "pin.pem", "sha1//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        // One character missing, one too many, characters outside base64, bits that are never
        // compared.
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFUA=",
        "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSu;U=",
    ])
    func invalidPinIsAnError(pin: String) {
        #expect(throws: InvalidOption.self) { try PublicKeyPins.joined([pin], "p") }
    }

    @Test func systemStoreIsFirstReadableFile() throws {
        let second = SystemTrustStore.candidates[1]
        let found = try SystemTrustStore.find(environment: { _ in nil }) { $0 == second }
        #expect(found == second)
        let all = try SystemTrustStore.find(environment: { _ in "" }) { _ in true }
        #expect(all == SystemTrustStore.candidates[0])
        #expect(try SystemTrustStore.find(environment: { _ in nil }) { _ in false } == nil)
    }

    @Test func environmentStoreHasPrecedence() throws {
        let variables = ["SSL_CERT_FILE": "/mine.pem"]
        let found = try SystemTrustStore.find(environment: { variables[$0] }) { _ in true }
        #expect(found == "/mine.pem")
        let error = try #require(throws: InvalidOption.self) {
            try SystemTrustStore.find(environment: { variables[$0] }) { $0 != "/mine.pem" }
        }
        #expect(error.reason.contains("SSL_CERT_FILE"))
    }

    @Test("Certificates in memory become an anonymous file that lives as long as its options")
    func certificatesInMemoryAreAnAnonymousFile() throws {
        var options = TransferOptions()
        // Unique content, because equal content is shared within the process.
        let content = Array("-----BEGIN CERTIFICATE-----\nmemory file\n".utf8)
        options.tls.trustRoots = .pem(content)
        var first: PreparedOptions? = try PreparedOptions(options)
        options.timeouts.total = .seconds(1)
        var second: PreparedOptions? = try PreparedOptions(options)
        let path = try #require(caInfo(first))
        #expect(path.contains("/proc/self/fd/"))
        #expect(caInfo(second) == path)

        var read: [UInt8] = []
        _ = try FileDescriptor.openForReading(path).read(appendingTo: &read, upTo: 1000)
        #expect(read == content)

        first = nil
        #expect(MemoryFile.isHeld(content))
        second = nil
        #expect(!MemoryFile.isHeld(content))
        #expect(first == nil && second == nil)
    }

    @Test("A memory file can't be changed")
    func memoryFileCannotBeChanged() throws {
        let file = try MemoryFile.holding(Array("-----BEGIN sealed\n".utf8))
        let writer = try FileDescriptor.openForUpdating(file.path)
        #expect(throws: FileError.self) { try writer.write([65]) }
        #expect(throws: FileError.self) { try writer.truncate(to: 0) }
    }

    @Test("Memory files have distinct paths when descriptors are reused")
    func memoryFilesHaveDifferentPaths() throws {
        let paths = try (0..<20).map {
            try MemoryFile.holding(Array("-----BEGIN \($0)\n".utf8)).path
        }
        #expect(Set(paths).count == paths.count)
    }

    @Test("Concurrent tasks share a memory file, and the last one closes it")
    func memoryFilesAreSharedUnderConcurrency() async throws {
        let content = Array("-----BEGIN many\n".utf8)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        let file = try MemoryFile.holding(content)
                        #expect(try FileSystem.kind(of: file.path) == .regular)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(!MemoryFile.isHeld(content))
    }

    @Test func memoryFileIsClosedWhenOptionsAreInvalid() throws {
        var options = TransferOptions()
        let content = Array("-----BEGIN half prepared\n".utf8)
        options.tls.trustRoots = .pem(content)
        options.tls.cipherList = ""
        #expect(throws: TransportError.self) { try PreparedOptions(options) }
        #expect(!MemoryFile.isHeld(content))
    }

    private func caInfo(_ options: PreparedOptions?) -> String? {
        let settings = try? options?.route(isSecure: true).settings
        for case .text(.caInfo, let path) in settings ?? [] {
            return path
        }
        return nil
    }
}
