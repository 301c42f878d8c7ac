internal import CurlURLSession
internal import Foundation
internal import HTTPSemantics

/// A `curl` command that sends the same request.
struct CURLCommand {
    private let preview: RequestPreview
    private let options: CURLDescriptionOptions
    private var arguments: [String] = []
    /// The shell command that writes the body to curl's standard input.
    private var input: String?

    private static let hidden = "***"

    init(_ preview: RequestPreview, _ options: CURLDescriptionOptions) {
        self.preview = preview
        self.options = options
        // Keeps curl from interpreting brackets, braces and dot segments in the URL.
        arguments = ["--globoff", "--path-as-is", "--compressed"]
        addMethod()
        addConnection()
        addFields()
        addUser()
        addBody()
        arguments.append(ShellWord.quoted(address))
    }

    var text: String {
        let command = "curl " + arguments.joined(separator: " \\\n    ")
        return input.map { "\($0) |\n\(command)" } ?? command
    }

    /// The URL.
    ///
    /// The values of secret items are hidden unless the options include secrets.
    private var address: String {
        let text = preview.url.absoluteString
        guard !options.includesSecrets else { return text }
        return SecretQuery(options.secretQueryItems, hidden: Self.hidden).hide(in: text)
    }

    private mutating func add(_ option: String, _ value: String) {
        arguments.append("\(option) \(ShellWord.quoted(value))")
    }

    private var hasBody: Bool {
        if case .none = preview.body { false } else { true }
    }

    private mutating func addMethod() {
        switch preview.method {
        case "GET" where !hasBody: break
        case "HEAD" where !hasBody: arguments.append("--head")
        default: add("-X", preview.method)
        }
    }

    // MARK: The connection

    private mutating func addConnection() {
        switch preview.version {
        case .automatic: break
        case .http1: arguments.append("--http1.1")
        case .http2: arguments.append("--http2")
        case .http2PriorKnowledge: arguments.append("--http2-prior-knowledge")
        case .http3: arguments.append("--http3")
        }
        guard let proxy = preview.proxy else {
            // curl reads the environment's proxy variables, too.
            if !preview.usesEnvironmentProxies, Self.environmentNamesProxies {
                add("--noproxy", "*")
            }
            return
        }
        add("--proxy", proxy.url)
        if let user = proxy.user { add("--proxy-user", words(of: user)) }
        // Added even if it is empty: otherwise curl reads `no_proxy` from the environment.
        add("--noproxy", proxy.exceptions.joined(separator: ","))
    }

    private static var environmentNamesProxies: Bool {
        let names = Set(ProcessInfo.processInfo.environment.keys.map { $0.lowercased() })
        return !names.isDisjoint(with: ["http_proxy", "https_proxy", "all_proxy"])
    }

    // MARK: The head

    private mutating func addFields() {
        for field in preview.fields {
            let isHidden =
                !options.includesSecrets
                && SensitiveFields.contain(field.name, orIn: options.secretHeaders)
            let value = isHidden ? Self.hidden : field.value
            // curl's syntax for a field without a value is `Name;`.
            add("-H", value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        if let cookies = preview.cookies {
            add("-H", "Cookie: " + (options.includesSecrets ? cookies : Self.hidden))
        }
    }

    private mutating func addUser() {
        guard let user = preview.user else { return }
        if !user.isPreemptive { arguments.append("--anyauth") }
        add("-u", words(of: user))
    }

    private func words(of user: RequestPreview.User) -> String {
        "\(user.name):" + (options.includesSecrets ? user.password : Self.hidden)
    }

    // MARK: The body

    private mutating func addBody() {
        switch preview.body {
        case .none:
            // Without a body, these methods send `Content-Length: 0`.
            if ["POST", "PUT", "PATCH"].contains(preview.method) {
                addFraming(isLarge: false)
                add("--data-binary", "")
            }
        case .data(let data):
            addFraming(isLarge: data.count > 1024 * 1024)
            add(data)
        case .file(let url):
            addFraming(isLarge: true)
            add("--data-binary", "@\(url.path)")
        case .stream:
            addFraming(isLarge: true)
            add("-H", "Transfer-Encoding: chunked")
            // The user of the command provides the body on its standard input.
            add("--data-binary", "@-")
        }
    }

    /// Removes the header fields that curl would add by itself.
    private mutating func addFraming(isLarge: Bool) {
        func says(_ name: String) -> Bool {
            preview.fields.contains { $0.name.lowercased() == name }
        }
        if !says("content-type") { add("-H", "Content-Type:") }
        if isLarge, !says("expect") { add("-H", "Expect:") }
    }

    private mutating func add(_ body: Data) {
        guard body.count <= options.maximumBodyLength else {
            return add("--data-binary", "@body-of-\(body.count)-bytes")
        }
        if let text = String(bytes: body, encoding: .utf8), Self.isPlain(text) {
            return add("--data-binary", text)
        }
        input = "printf \(ShellWord.format(body))"
        add("--data-binary", "@-")
    }

    /// Whether a text can be copied unchanged and isn't a file name.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.first != UInt8(ascii: "@")
            && text.unicodeScalars.allSatisfy { scalar in
                scalar == "\n" || scalar == "\t" || !(scalar.value < 0x20 || scalar.value == 0x7f)
            }
    }
}
