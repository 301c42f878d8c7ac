import HTTPSemantics
import Testing

@testable import BatchFetch

@Suite struct DigestTests {
    @Test(arguments: [
        (
            DigestAlgorithm.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.md5, "900150983cd24fb0d6963f7d28e17f72"),
    ])
    func digestsMatchTheStandardTestVectors(algorithm: DigestAlgorithm, expected: String) throws {
        #expect(
            Hexadecimal.text(MessageDigest.of(Array("abc".utf8), algorithm.function)) == expected
        )
        let running = RunningDigest(algorithm)
        for byte in "abc".utf8 { running.update([byte].span) }
        #expect(Hexadecimal.text(running.finish()) == expected)
        #expect(ExpectedDigest(algorithm, hexadecimal: expected.uppercased())?.bytes.count ?? 0 > 0)
        #expect(ExpectedDigest(algorithm, hexadecimal: String(expected.dropLast())) == nil)
    }

    @Test(arguments: [
        ("repr-digest", "sha-256=:\(abc256):", [DigestAlgorithm.sha256]),
        (
            "content-digest", "md5=:kAFQmDzST7DWlj99KOF/cg==:;x, sha-256=:\(abc256):",
            [.md5, .sha256]
        ),
        ("digest", "MD5=kAFQmDzST7DWlj99KOF/cg==,unixsum=12", [.md5]),
        ("digest", "SHA-256=\(abc256)", [.sha256]),
        ("content-md5", " kAFQmDzST7DWlj99KOF/cg== ", [.md5]),
        ("content-md5", "short", []),
        ("repr-digest", "sha-256=\(abc256)", []),
        ("repr-digest", "sha-256=:*:, =, sha-256", []),
    ])
    func digestFieldsAreParsed(name: String, value: String, algorithms: [DigestAlgorithm]) {
        let digests = ResponseDigests.digests(in: value, of: name)
        #expect(digests.map(\.algorithm) == algorithms)
        for digest in digests {
            #expect(digest.bytes == MessageDigest.of(Array("abc".utf8), digest.algorithm.function))
        }
    }

    private static let abc256 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="

    @Test func hexadecimalIsReadInBothCases() {
        #expect(Hexadecimal.bytes(of: "00fFa1") == [0, 255, 161])
        #expect(Hexadecimal.bytes(of: "0") == nil)
        #expect(Hexadecimal.bytes(of: "0g") == nil)
    }
}
