import Testing

@testable import CurlURLSession

struct SHA256Tests {
    // The first two are examples of FIPS 180-4.
    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            String(repeating: "a", count: 1000),
            "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
        ),
    ])
    func digestMatchesTheStandard(text: String, digest: String) {
        #expect(SHA256.hexDigest(of: text) == digest)
    }

    @Test func lengthsAroundABlockHaveDistinctDigests() {
        let digests = (50...140).map { SHA256.hexDigest(of: String(repeating: "a", count: $0)) }
        #expect(Set(digests).count == digests.count)
        #expect(digests.allSatisfy { $0.utf8.count == 64 })
    }
}
