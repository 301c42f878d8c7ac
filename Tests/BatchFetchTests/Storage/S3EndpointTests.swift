import TestSupport
import Testing

@testable import BatchFetch

/// The URLs of buckets and objects.
@Suite struct S3EndpointTests {
    private func endpoint(
        _ bucket: String,
        at url: String? = nil,
        region: String = "eu-west-1",
        style: String? = nil
    ) throws -> S3Endpoint {
        var storage = try ObjectStorage(address: "s3://\(bucket)")
        storage.credentials = .init(accessKey: "a", secretKey: "b")
        storage.region = region
        storage.endpoint = url
        let folder = try TemporaryDirectory()
        let config = try folder.write(
            "[default]\ns3 =\n  addressing_style = \(style ?? "auto")\n",
            to: "config"
        )
        let settings = try AWSSettings(for: storage) { $0 == "AWS_CONFIG_FILE" ? config : nil }
        return try S3Endpoint(bucket: bucket, settings)
    }

    @Test("AWS has the bucket in the host, unless a certificate wouldn't match it")
    func awsHasBucketInHost() throws {
        #expect(
            try endpoint("pages").url(key: "a/b")
                == "https://pages.s3.eu-west-1.amazonaws.com/a/b"
        )
        #expect(
            try endpoint("my.pages").url(key: "a")
                == "https://s3.eu-west-1.amazonaws.com/my.pages/a"
        )
        #expect(
            try endpoint("pages", region: "cn-north-1").url()
                == "https://pages.s3.cn-north-1.amazonaws.com.cn/"
        )
    }

    @Test("Other servers have the bucket in the path, unless the profile says otherwise")
    func othersHaveBucketInPath() throws {
        let url = "http://127.0.0.1:9000/"
        #expect(try endpoint("pages", at: url).url(key: "a") == "http://127.0.0.1:9000/pages/a")
        #expect(
            try endpoint("pages", at: "https://storage.example/s3").url()
                == "https://storage.example/s3/pages"
        )
        #expect(
            try endpoint("pages", at: "https://storage.example", style: "virtual").url(key: "a")
                == "https://pages.storage.example/a"
        )
        #expect(
            try endpoint("pages", style: "path").url()
                == "https://s3.eu-west-1.amazonaws.com/pages"
        )
    }

    @Test("Keys and queries are encoded as signatures require, and queries are sorted")
    func urlsAreEncoded() throws {
        let url = try endpoint("pages", at: "http://h").url(
            key: "ü/a b+c~d?",
            query: ["uploads": "", "prefix": "a/b", "encoding-type": "url"]
        )
        #expect(
            url == "http://h/pages/%C3%BC/a%20b%2Bc~d%3F?encoding-type=url&prefix=a%2Fb&uploads="
        )
    }

    @Test(
        "An endpoint that is no URL of a server is refused, and its password isn't printed",
        arguments: [
            "storage.example", "ftp://a", "http://", "http://a?b", "http://u:secret@a", "http://:1",
        ]
    )
    func invalidEndpointIsRefused(url: String) throws {
        let error = try #require(throws: BatchFailure.self) { try endpoint("pages", at: url) }
        #expect(error.code == .configuration)
        #expect(!error.message.contains("secret"))
    }
}
