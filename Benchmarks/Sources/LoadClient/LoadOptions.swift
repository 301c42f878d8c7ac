internal import LoadSupport

/// What is asked of the client: the command line that all load clients share.
struct LoadOptions: Sendable {
    enum Layer: Int32, CaseIterable, Sendable {
        case transport
        case async
    }

    enum Mode: Sendable {
        case get
        case download
        case upload
    }

    let layer: Layer
    let mode: Mode
    let urls: [String]
    let requests: Int
    let concurrency: Int
    /// Of the response, or of the upload; nil where the command line doesn't say.
    let bodyBytes: Int?
    let usesHTTP2: Bool
    let reusesConnections: Bool
    let loops: Int
    let certificateFile: String?
    let output: String?
    let input: String?

    /// Reads the process's arguments. Wrong ones end the process with a message.
    static func read() -> (LoadOptions, load_options) {
        let names = Layer.allCases.map { "\($0)" }.joined(separator: ",")
        let raw = load_options_read(
            CommandLine.argc,
            CommandLine.unsafeArgv,
            "--layer",
            names
        )
        return (LoadOptions(raw), raw)
    }

    private init(_ raw: load_options) {
        layer = Layer(rawValue: raw.variant) ?? .transport
        mode =
            switch raw.mode {
            case LOAD_DOWNLOAD: .download
            case LOAD_UPLOAD: .upload
            default: .get
            }
        var raw = raw
        urls = withUnsafeBytes(of: &raw.urls) { bytes in
            bytes.bindMemory(to: UnsafePointer<CChar>?.self).prefix(Int(raw.url_count))
                .compactMap { $0.map { String(cString: $0) } }
        }
        requests = Int(raw.requests)
        concurrency = Int(raw.concurrency)
        bodyBytes = raw.body_bytes >= 0 ? Int(raw.body_bytes) : nil
        usesHTTP2 = raw.http2
        reusesConnections = !raw.no_reuse
        loops = Int(raw.loops)
        certificateFile = raw.ca_file.map { String(cString: $0) }
        output = raw.out.map { String(cString: $0) }
        input = raw.in.map { String(cString: $0) }
    }

    /// Where the download of one place in flight goes; nil: nowhere.
    func output(ofPlace place: Int) -> String? {
        output.map { place == 0 ? $0 : "\($0).\(place)" }
    }
}
