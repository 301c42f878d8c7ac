import Curl
import Testing

@testable import CurlTransport

@Suite struct TrustTests {
    private let digest = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test func pinsReachLibcurlInTheDigestFormOnly() throws {
        #expect(try PublicKeyPins.joined([], "p") == nil)
        #expect(try PublicKeyPins.joined([digest], "p") == "sha256//" + digest)
        let both = try PublicKeyPins.joined([digest, "sha256//" + digest], "p")
        #expect(both == "sha256//\(digest);sha256//\(digest)")
    }

    @Test(arguments: [
        "", "sha256//", "pin.pem", "sha1//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        // One character short, one too many, none of base64, bits that are never compared.
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFUA=",
        "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSu;U=",
    ])
    func whatIsNoDigestIsAnError(pin: String) {
        #expect(throws: InvalidOption.self) { try PublicKeyPins.joined([pin], "p") }
    }

    @Test func theSystemsStoreIsTheFirstThatCanBeRead() throws {
        let second = SystemTrustStore.candidates[1]
        let found = try SystemTrustStore.find(environment: { _ in nil }) { $0 == second }
        #expect(found == second)
        let all = try SystemTrustStore.find(environment: { _ in "" }) { _ in true }
        #expect(all == SystemTrustStore.candidates[0])
        #expect(try SystemTrustStore.find(environment: { _ in nil }) { _ in false } == nil)
    }

    @Test func theEnvironmentsStoreComesFirst() throws {
        let variables = ["SSL_CERT_FILE": "/mine.pem"]
        let found = try SystemTrustStore.find(environment: { variables[$0] }) { _ in true }
        #expect(found == "/mine.pem")
        let error = try #require(throws: InvalidOption.self) {
            try SystemTrustStore.find(environment: { variables[$0] }) { $0 != "/mine.pem" }
        }
        #expect(error.reason.contains("SSL_CERT_FILE"))
    }

    @Test func certificatesInMemoryAreAPrivateFileWhileTheyAreInUse() throws {
        var options = TransferOptions()
        // Content of its own: equal content is shared in the process.
        let content = Array("-----BEGIN CERTIFICATE-----\nprivate file\n".utf8)
        options.tls.trustRoots = .pem(content)
        var first: PreparedOptions? = try PreparedOptions(options)
        options.timeouts.total = .seconds(1)
        var second: PreparedOptions? = try PreparedOptions(options)
        let path = try #require(caInfo(first))
        #expect(caInfo(second) == path)

        var written: [UInt8] = []
        _ = try FileDescriptor.openForReading(path).read(appendingTo: &written, upTo: 1000)
        #expect(written == content)
        #expect(try FileSystem.permissions(of: path) == 0o600)

        first = nil
        #expect(try FileSystem.kind(of: path) == .regular)
        second = nil
        #expect(try FileSystem.kind(of: path) == nil)
        #expect(first == nil && second == nil)
    }

    @Test func aPrivateFileIsMadeAnewAfterItIsGone() throws {
        let content = Array("-----BEGIN again\n".utf8)
        let first = try PrivateFile.holding(content).path
        let again = try PrivateFile.holding(content)
        #expect(again.path != first)
        #expect(try FileSystem.kind(of: again.path) == .regular)
    }

    @Test func privateFilesAreSharedAndRemovedUnderConcurrency() async throws {
        let content = Array("-----BEGIN many\n".utf8)
        let paths = try await withThrowingTaskGroup(of: Set<String>.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var paths: Set<String> = []
                    for _ in 0..<50 {
                        let file = try PrivateFile.holding(content)
                        #expect(try FileSystem.kind(of: file.path) == .regular)
                        paths.insert(file.path)
                    }
                    return paths
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        for path in paths { #expect(try FileSystem.kind(of: path) == nil) }
    }

    @Test func aFileLeavesNothingBehindWhenTheRestIsInvalid() throws {
        var options = TransferOptions()
        let content = Array("-----BEGIN half prepared\n".utf8)
        options.tls.trustRoots = .pem(content)
        options.tls.cipherList = ""
        #expect(throws: TransportError.self) { try PreparedOptions(options) }
        #expect(!PrivateFile.isHeld(content))
    }

    private func caInfo(_ options: PreparedOptions?) -> String? {
        let settings = try? options?.route(isSecure: true).settings
        for case .text(.caInfo, let path) in settings ?? [] {
            return path
        }
        return nil
    }
}
