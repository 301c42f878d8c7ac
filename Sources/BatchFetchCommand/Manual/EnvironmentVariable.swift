/// An environment variable that the command reads, other than settings.
struct EnvironmentVariable: Sendable {
    /// One variable, or several where the first one that isn't empty counts.
    let names: [String]
    let effect: String

    static let all = [
        EnvironmentVariable(
            names: ["TMPDIR"],
            effect: """
                Folder of anonymous temporary files, instead of /tmp: of queued URLs, and of a body for \
                standard output or object storage until it is complete.
                """
        ),
        EnvironmentVariable(
            names: ["SSL_CERT_FILE"],
            effect: """
                File of trusted certificates in PEM, instead of the system's. A file that can't be read \
                is an error.
                """
        ),
        EnvironmentVariable(
            names: ["http_proxy", "all_proxy", "ALL_PROXY"],
            effect: "Proxy for http URLs, unless --proxy is given. HTTP_PROXY isn't read."
        ),
        EnvironmentVariable(
            names: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
            effect: "Proxy for https URLs, unless --proxy is given."
        ),
        EnvironmentVariable(
            names: ["no_proxy", "NO_PROXY"],
            effect: "Hosts without a proxy, separated by commas, unless --no-proxy is given."
        ),
        EnvironmentVariable(
            names: ["AWS_ACCESS_KEY_ID"],
            effect: "Access key of --output s3://…, and of --aws-sigv4 unless --user is given."
        ),
        EnvironmentVariable(
            names: ["AWS_SECRET_ACCESS_KEY"],
            effect: "Secret key of --output s3://…, and of --aws-sigv4 unless --user is given."
        ),
        EnvironmentVariable(
            names: ["AWS_SESSION_TOKEN"],
            effect: """
                Session token of --output s3://…, and of --aws-sigv4 unless --user is given.
                """
        ),
        EnvironmentVariable(
            names: ["AWS_PROFILE"],
            effect: "Profile with the keys of --output s3://… if the environment has none."
        ),
        EnvironmentVariable(
            names: ["AWS_REGION", "AWS_DEFAULT_REGION"],
            effect: "Region of --output s3://…, instead of that of the profile, or us-east-1."
        ),
        EnvironmentVariable(
            names: ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"],
            effect: "URL of the server of --output s3://…, instead of that of the profile, or AWS."
        ),
        EnvironmentVariable(
            names: ["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"],
            effect: "If true, the server of --output s3://… is AWS."
        ),
        EnvironmentVariable(
            names: ["AWS_SHARED_CREDENTIALS_FILE"],
            effect: "File of keys for --output s3://…, instead of ~/.aws/credentials."
        ),
        EnvironmentVariable(
            names: ["AWS_CONFIG_FILE"],
            effect: "File of settings and keys for --output s3://…, instead of ~/.aws/config."
        ),
        EnvironmentVariable(
            names: ["AWS_CA_BUNDLE"],
            effect: "File of certificates in PEM that the server of --output s3://… is trusted by."
        ),
        EnvironmentVariable(
            names: ["HOME"],
            effect: "Folder of the file .netrc that --netrc reads, and of the files below ~/.aws."
        ),
        EnvironmentVariable(
            names: ["XDG_STATE_HOME"],
            effect: """
                Folder in which fleet work makes the folder batchfetch, unless --state is given. \
                Otherwise it is .local/state in HOME.
                """
        ),
        EnvironmentVariable(names: ["NO_COLOR"], effect: "If not empty, the same as --no-color."),
        EnvironmentVariable(
            names: ["TERM"],
            effect: "If dumb, progress is printed as lines instead of being redrawn in place."
        ),
        EnvironmentVariable(
            names: ["LC_ALL", "LC_CTYPE", "LANG"],
            effect: """
                The locale: the progress bar is drawn with other characters than ASCII if it uses UTF-8.
                """
        ),
    ]
}
