import Testing

@testable import BatchFetch

/// Addresses of object storage.
@Suite struct ObjectStorageTests {
    @Test(
        "An address has a bucket, and a prefix without slashes at its ends",
        arguments: [
            ("s3://pages", "pages", ""), ("s3://pages/", "pages", ""),
            ("S3://pages/2026/may/", "pages", "2026/may"),
            ("s3://my.pages//a b", "my.pages", "a b"),
        ]
    )
    func addressIsParsed(text: String, bucket: String, prefix: String) throws {
        let storage = try ObjectStorage(address: text)
        #expect(storage.bucket == bucket)
        #expect(storage.prefix == prefix)
        #expect(storage.key("x") == (prefix.isEmpty ? "x" : "\(prefix)/x"))
    }

    @Test(
        "An address with an invalid bucket or prefix is refused",
        arguments: [
            "s3://", "s3:///a", "s3://ab", "s3://a_b?c/d", "s3://pages/../a", "s3://pages/a//b",
            "s3://pages/a\u{1}", "pages", "s3://user:password@host/a",
            "s3://pages/" + String(repeating: "a", count: 257),
        ]
    )
    func invalidAddressIsRefused(text: String) {
        #expect(throws: BatchFailure.self) { try ObjectStorage(address: text) }
    }

    @Test("Only an address is one")
    func pathIsNoAddress() {
        #expect(ObjectStorage.isAddress("s3://a"))
        #expect(!ObjectStorage.isAddress("s3/a"))
        #expect(!ObjectStorage.isAddress("./s3://a"))
    }

    @Test("The description of credentials contains no secret")
    func secretsAreNotPrinted() throws {
        var storage = try ObjectStorage(address: "s3://pages")
        storage.credentials = .init(accessKey: "one", secretKey: "two", sessionToken: "three")
        var text = ""
        dump(storage, to: &text)
        text += "\(storage)"
        #expect(!text.contains("two") && !text.contains("three"))
    }
}
