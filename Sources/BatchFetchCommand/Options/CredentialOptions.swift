import ArgumentParser
import BatchFetch
import Posix

/// The options for header fields and credentials.
///
/// All of them are strings for the parser, because its errors would repeat a secret.
struct CredentialOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Header field for all requests that have none of this name in their line: 'Name: value', \
            'Name;' for an empty one, 'Name:' to send none. @FILE reads one per line. May be \
            repeated. After a redirect to another origin only harmless ones (Accept, User-Agent \
            …) are sent.
            """,
            valueName: "field"
        )
    )
    var header: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            User and password for the hosts of the list (Basic), unless the URL has its own. Not \
            sent after a redirect to another origin.
            """,
            valueName: "name:password"
        )
    )
    var user: String?

    @Flag(help: "Take users and passwords by host from .netrc in the home folder.")
    var netrc = false

    @Option(
        help: ArgumentHelp("Take users and passwords by host from this file.", valueName: "file"),
        completion: .file()
    )
    var netrcFile: String?

    @Option(
        help: ArgumentHelp(
            "File with a bearer token for the hosts of the list, sent like --user.",
            valueName: "file"
        ),
        completion: .file()
    )
    var bearerFile: String?

    @Option(
        name: .customLong("aws-sigv4"),
        help: ArgumentHelp(
            """
            Sign requests to the hosts of the list for AWS: aws:amz, or aws:amz:REGION:SERVICE if \
            a host isn't in amazonaws.com. The keys are --user, or AWS_ACCESS_KEY_ID, \
            AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN in the environment.
            """,
            valueName: "provider"
        )
    )
    var awsSigV4: String?

    @Flag(help: "Keep the cookies that servers set until the end of the run, and send them back.")
    var cookies = false

    @Option(
        help: ArgumentHelp(
            """
            As --cookies, and read them from this file (Netscape format) at the start, and write \
            them at the end.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var cookieJar: String?

    func validate() throws {
        guard user == nil || bearerFile == nil else {
            throw ValidationError("--user and --bearer-file exclude each other: remove one.")
        }
        guard awsSigV4 == nil || bearerFile == nil else {
            throw ValidationError("--aws-sigv4 and --bearer-file exclude each other: remove one.")
        }
        guard cookieJar != "-" else {
            throw ValidationError("--cookie-jar is -, which is no file: name one.")
        }
        if let user { _ = try Self.parts(of: user) }
        for (name, file) in [
            ("--netrc-file", netrcFile), ("--bearer-file", bearerFile), ("--cookie-jar", cookieJar),
        ]
        where file == "" {
            throw ValidationError("\(name) is empty: name a file.")
        }
    }

    private static func parts(of user: String) throws -> (name: String, password: String) {
        guard let colon = user.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            throw ValidationError("--user has no colon: use NAME:PASSWORD.")
        }
        return (String(user[..<colon]), String(user[user.utf8.index(after: colon)...]))
    }

    /// The files that the options name.
    var uses: [NamedFileArgument?] {
        header.filter { $0.hasPrefix("@") }
            .map { .reading(String($0.dropFirst()), for: "the input of --header") } + [
                .reading(netrcFile, for: "the input of --netrc-file"),
                .reading(bearerFile, for: "the input of --bearer-file"),
                .writing(cookieJar, for: "--cookie-jar"),
            ]
    }

    /// The options as the library's settings. Reads files.
    func requests() throws -> BatchRequestDefaults {
        var requests = BatchRequestDefaults()
        for (index, text) in header.enumerated() {
            do throws(BatchFailure) {
                for line in try Self.lines(of: text) { try requests.add(header: line) }
            } catch {
                let which = header.count > 1 ? " (number \(index + 1))" : ""
                throw BatchFailure(.configuration, "--header\(which): \(error)")
            }
        }
        requests.credentials = try credentials()
        requests.netrcFile = try netrcFile ?? (netrc ? Self.homeFile() : nil)
        requests.cookies =
            cookieJar.map { BatchCookies.file($0) }
            ?? (cookies ? BatchCookies.memory : BatchCookies.none)
        return requests
    }

    private static func lines(of header: String) throws(BatchFailure) -> [String] {
        guard header.hasPrefix("@") else { return [header] }
        let text = try TextFile.text(of: String(header.dropFirst()))
        return text.split(whereSeparator: \.isNewline).map(String.init)
    }

    private func credentials() throws -> BatchCredentials? {
        if let awsSigV4 { return try signature(awsSigV4) }
        if let user {
            let (name, password) = try Self.parts(of: user)
            return .basic(user: name, password: password)
        }
        guard let bearerFile else { return nil }
        let text = try TextFile.text(of: bearerFile)
        let tokens = text.split(whereSeparator: \.isWhitespace)
        guard tokens.count == 1 else {
            throw BatchFailure(
                .configuration,
                "“\(bearerFile)” has \(tokens.isEmpty ? "no" : "more than one") word: write only the "
                    + "bearer token into it"
            )
        }
        return .bearer(token: String(tokens[0]))
    }

    private func signature(_ provider: String) throws -> BatchCredentials {
        if let user {
            let (name, password) = try Self.parts(of: user)
            return .awsSigV4(provider: provider, accessKey: name, secretKey: password)
        }
        func variable(_ name: String) -> String? {
            ProcessEnvironment.value(of: name).flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let accessKey = variable("AWS_ACCESS_KEY_ID"),
            let secretKey = variable("AWS_SECRET_ACCESS_KEY")
        else {
            throw BatchFailure(
                .configuration,
                "--aws-sigv4 needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or --user"
            )
        }
        return .awsSigV4(
            provider: provider,
            accessKey: accessKey,
            secretKey: secretKey,
            sessionToken: variable("AWS_SESSION_TOKEN")
        )
    }

    private static func homeFile() throws(BatchFailure) -> String {
        guard let home = ProcessEnvironment.value(of: "HOME"), !home.isEmpty else {
            throw BatchFailure(
                .configuration,
                "--netrc needs the environment variable HOME: name the file with --netrc-file"
            )
        }
        return "\(home)/.netrc"
    }
}
