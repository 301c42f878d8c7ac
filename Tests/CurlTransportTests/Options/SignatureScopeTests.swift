internal import HTTPTypes
internal import TestSupport
internal import Testing

@testable import CurlTransport

/// What an AWS signature names, and the form of the query that it covers.
@Suite(.timeLimit(.minutes(10))) struct SignatureScopeTests {
    @Test(
        "Names of AWS endpoints declare region and service",
        arguments: [
            ("s3.amazonaws.com", "us-east-1:s3"),
            ("bucket.s3.amazonaws.com", "us-east-1:s3"),
            ("s3.eu-west-1.amazonaws.com", "eu-west-1:s3"),
            ("bucket.s3.eu-west-1.amazonaws.com", "eu-west-1:s3"),
            ("my.own.bucket.s3.eu-west-1.amazonaws.com", "eu-west-1:s3"),
            ("s3.s3.eu-west-1.amazonaws.com", "eu-west-1:s3"),
            ("bucket.s3-eu-west-1.amazonaws.com", "eu-west-1:s3"),
            ("bucket.s3.dualstack.us-west-2.amazonaws.com", "us-west-2:s3"),
            ("bucket.s3-fips.us-gov-west-1.amazonaws.com", "us-gov-west-1:s3"),
            ("p-123.s3-accesspoint.eu-west-1.amazonaws.com", "eu-west-1:s3"),
            ("b--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com", "us-east-1:s3express"),
            ("bucket.vpce-1a2b.s3.us-east-1.vpce.amazonaws.com", "us-east-1:s3"),
            ("bucket.s3.cn-north-1.amazonaws.com.cn", "cn-north-1:s3"),
            ("dynamodb.eu-central-1.amazonaws.com", "eu-central-1:dynamodb"),
            ("kms-fips.us-east-2.amazonaws.com", "us-east-2:kms"),
            ("email.eu-west-1.amazonaws.com", "eu-west-1:ses"),
            ("iam.amazonaws.com", "us-east-1:iam"),
            ("abc.execute-api.us-east-1.amazonaws.com", "us-east-1:execute-api"),
            ("search-x.eu-west-1.es.amazonaws.com", "eu-west-1:es"),
        ]
    )
    func hostsDeclareTheirScope(_ host: String, _ scope: String) throws {
        #expect(try SignatureProvider("aws:amz", host: host).text == "aws:amz:" + scope)
    }

    @Test(
        "A host that doesn't declare region and service needs them named",
        arguments: [
            "127.0.0.1", "minio.test", "amazonaws.com", "bucket.s3-accelerate.amazonaws.com",
            "a.b.c.amazonaws.com", "x.notamazonaws.com", "bucket.s3.nowhere.amazonaws.com",
        ]
    )
    func otherHostsNeedNames(_ host: String) throws {
        let error = #expect(throws: TransportError.self) {
            try SignatureProvider("aws:amz", host: host)
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("aws:amz:eu-west-1:s3") == true)
        for provider in ["aws:amz:eu-west-1:s3", "goog4:goog", "osc"] {
            #expect(try SignatureProvider(provider, host: host).text == provider)
        }
    }

    @Test("A service that the provider lacks is the host's")
    func serviceIsTheHosts() throws {
        let provider = try SignatureProvider("aws:amz:eu-north-1", host: "b.s3.amazonaws.com")
        #expect(provider.text == "aws:amz:eu-north-1:s3" && provider.requiresContentHash)
        #expect(try !SignatureProvider("aws:amz", host: "iam.amazonaws.com").requiresContentHash)
    }

    @Test(
        "A signed query has the form that AWS signs",
        arguments: [
            ("/k", "/k"), ("/k?", "/k"), ("/k?uploads", "/k?uploads="),
            ("/k?b=2&a=1", "/k?a=1&b=2"), ("/k?a=2&a=1&&A", "/k?A=&a=1&a=2"),
            ("/a%2fb/../c?x=a/b:c+d%2fe%7e%e4", "/a%2fb/../c?x=a%2Fb%3Ac%20d%2Fe~%E4"),
            ("/k?x=100%&y=%zz&z=a=b?c", "/k?x=100%25&y=%25zz&z=a%3Db%3Fc"),
        ]
    )
    func queriesAreCanonical(_ path: String, _ expected: String) {
        #expect(SignedQuery.path(path) == expected)
        #expect(SignedQuery.path(expected) == expected)
    }

    @Test("S3 gets the hash of a body, unless the request has its own")
    func contentHashIsAdded() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        var options = TransferOptions.patient
        options.authentication = .awsSigV4(
            provider: "aws:amz:eu-west-1:s3",
            accessKey: "key",
            secretKey: "secret"
        )
        let client = try HTTPClient(options: options)
        let post = try HTTPRequest(method: .post, url: server.url)
        let name = try #require(HTTPField.Name("X-Amz-Content-Sha256"))
        let own = try HTTPRequest(url: server.url, headerFields: [name: "UNSIGNED-PAYLOAD"])
        _ = try await client.send(HTTPRequest(url: server.url))
        _ = try await client.send(post, body: .text("abc"))
        _ = try await client.send(own)
        await client.shutdown()
        let expected = [
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "UNSIGNED-PAYLOAD",
        ]
        for (number, value) in expected.enumerated() {
            let seen = try await server.request(number)
            #expect(seen.headers("x-amz-content-sha256") == [value])
            #expect(seen.header("Authorization")?.contains("x-amz-content-sha256") == true)
        }
    }
}
