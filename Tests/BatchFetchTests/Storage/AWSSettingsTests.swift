import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Where keys, region and endpoint of object storage are found.
@Suite struct AWSSettingsTests {
    private static let keys = [
        "AWS_ACCESS_KEY_ID": "environment", "AWS_SECRET_ACCESS_KEY": "secret",
    ]

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func settings(
        _ environment: [String: String],
        _ change: (inout ObjectStorage) -> Void = { _ in }
    ) throws -> AWSSettings {
        var storage = try ObjectStorage(address: "s3://pages")
        change(&storage)
        var all = ["HOME": folder.path]
        all.merge(environment) { $1 }
        return try AWSSettings(for: storage) { all[$0] }
    }

    private func message(_ environment: [String: String]) throws -> String {
        do {
            _ = try settings(environment)
        } catch let error as BatchFailure {
            #expect(error.code == .configuration)
            return error.message
        }
        return ""
    }

    private func write(config: String = "", credentials: String = "") throws {
        try FileManager.default.createDirectory(
            atPath: folder.path(".aws"),
            withIntermediateDirectories: true
        )
        try folder.write(config, to: ".aws/config")
        try folder.write(credentials, to: ".aws/credentials")
    }

    @Test("The environment has keys, token, region and endpoint")
    func environmentIsRead() throws {
        var environment = Self.keys
        environment["AWS_SESSION_TOKEN"] = "token"
        environment["AWS_DEFAULT_REGION"] = "eu-west-2"
        environment["AWS_ENDPOINT_URL"] = "http://a"
        var settings = try settings(environment)
        #expect(
            settings.credentials
                == .init(accessKey: "environment", secretKey: "secret", sessionToken: "token")
        )
        #expect(settings.region == "eu-west-2")
        #expect(settings.endpoint == "http://a")
        environment["AWS_REGION"] = "eu-west-1"
        environment["AWS_ENDPOINT_URL_S3"] = "http://b"
        settings = try self.settings(environment)
        #expect(settings.region == "eu-west-1")
        #expect(settings.endpoint == "http://b")
    }

    @Test("Without settings the region is us-east-1, and the server is AWS")
    func defaultsAreThoseOfAWS() throws {
        let settings = try settings(Self.keys.merging(["AWS_REGION": ""]) { $1 })
        #expect(settings.region == "us-east-1")
        #expect(settings.endpoint == nil)
        #expect(settings.addressing == .automatic)
    }

    @Test("The default profile has what the environment doesn't have")
    func defaultProfileIsRead() throws {
        try write(
            config: """
                # comment
                [default]
                region = eu-north-1
                endpoint_url=http://profile
                s3 =
                    addressing_style = path
                    max_concurrent_requests = 5
                """,
            credentials: """
                [default]
                aws_access_key_id = file
                aws_secret_access_key = of file
                """
        )
        let settings = try settings([:])
        #expect(settings.credentials == .init(accessKey: "file", secretKey: "of file"))
        #expect(settings.region == "eu-north-1")
        #expect(settings.endpoint == "http://profile")
        #expect(settings.addressing == .path)
        #expect(try self.settings(Self.keys).credentials.accessKey == "environment")
    }

    @Test("A named profile is read from both files, wherever they are")
    func namedProfileIsRead() throws {
        let config = try folder.write(
            """
            [profile "two words"]
            services = mine
            aws_access_key_id = config
            aws_secret_access_key = a
            aws_session_token = b
            [services mine]
            s3 =
              endpoint_url = http://service
            """,
            to: "config"
        )
        let settings = try settings(["AWS_CONFIG_FILE": config, "AWS_PROFILE": "two words"])
        #expect(
            settings.credentials
                == .init(accessKey: "config", secretKey: "a", sessionToken: "b")
        )
        #expect(settings.endpoint == "http://service")
        let keys = try folder.write(
            "[two words]\naws_access_key_id=c\naws_secret_access_key=d\n",
            to: "keys"
        )
        let both = try self.settings([
            "AWS_CONFIG_FILE": config, "AWS_PROFILE": "two words",
            "AWS_SHARED_CREDENTIALS_FILE": keys,
        ])
        #expect(both.credentials == .init(accessKey: "c", secretKey: "d"))
    }

    @Test("The program's own values take precedence")
    func ownValuesTakePrecedence() throws {
        let settings = try settings(Self.keys.merging(["AWS_REGION": "a-1"]) { $1 }) { storage in
            storage.region = "b-1"
            storage.endpoint = "http://own"
            storage.credentials = .init(accessKey: "own", secretKey: "x")
        }
        #expect(settings.region == "b-1")
        #expect(settings.endpoint == "http://own")
        #expect(settings.credentials.accessKey == "own")
    }

    @Test("Missing, incomplete and unsupported keys are explained without secrets")
    func missingKeysAreExplained() throws {
        #expect(try message([:]).contains("there are no keys for object storage"))
        #expect(try message(["AWS_ACCESS_KEY_ID": "a"]).contains("only one is set"))
        #expect(try message(["AWS_PROFILE": "none"]).contains("the profile “none”"))
        #expect(
            try message(Self.keys.merging(["AWS_REGION": "a b"]) { $1 }).contains("the region")
        )
        try write(config: "[default]\nsso_session = x\n[profile role]\nrole_arn = arn:x\n")
        #expect(try message([:]).contains("sso_session"))
        #expect(try message(["AWS_PROFILE": "role"]).contains("role_arn"))
        try write(credentials: "[default]\naws_access_key_id = a\n")
        #expect(try message([:]).contains("no secret key"))
    }
}
