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
                standard output until it is complete.
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
            effect: "Access key of --aws-sigv4, unless --user is given."
        ),
        EnvironmentVariable(
            names: ["AWS_SECRET_ACCESS_KEY"],
            effect: "Secret key of --aws-sigv4, unless --user is given."
        ),
        EnvironmentVariable(
            names: ["AWS_SESSION_TOKEN"],
            effect: "Session token of --aws-sigv4, unless --user is given."
        ),
        EnvironmentVariable(
            names: ["HOME"],
            effect: "Folder of the file .netrc that --netrc reads."
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
