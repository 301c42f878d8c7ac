internal import HTTPSemantics
internal import Testing

@Suite struct MessageDigestTests {
    private func digest(_ text: String, _ function: MessageDigest.Function) -> String {
        Hexadecimal.text(MessageDigest.of(Array(text.utf8), function))
    }

    // The first two of each are examples of FIPS 180-4 and RFC 3174.
    @Test(
        "Digests match the standards' examples",
        arguments: [
            (
                MessageDigest.Function.sha256, "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            ),
            (
                .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                .sha256, "",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            ),
            (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                .sha1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
            (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        ]
    )
    func digestMatchesTheStandard(
        function: MessageDigest.Function,
        text: String,
        expected: String
    ) {
        #expect(digest(text, function) == expected)
    }

    @Test func digestOfAllBytesIsTheSameAsOfTheirParts() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        for function in [MessageDigest.Function.sha256, .sha512, .sha1, .md5] {
            guard var digest = MessageDigest(function) else {
                Issue.record("the system has no \(function)")
                continue
            }
            digest.update(bytes.span.extracting(0..<63))
            digest.update(bytes.span.extracting(63..<63))
            digest.update(bytes.span.extracting(63..<1000))
            let parts = digest.finish()
            #expect(parts == MessageDigest.of(bytes, function))
            #expect(parts.count == function.byteCount)
        }
    }
}
