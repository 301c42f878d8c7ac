internal import LoadSupport

/// What is asked of a client: the command line that all load clients share.
public struct LoadOptions: Sendable {
    /// What is done with bodies.
    public enum Mode: Sendable {
        /// The response's body is collected in memory.
        case get
        /// The response's body is dropped, or written to a file, as it comes.
        case download
        /// A body is sent with POST.
        case upload
    }

    /// The place of the name that the client's own option chose, among those it takes.
    public let variant: Int
    /// What is done with bodies.
    public let mode: Mode
    /// Request n goes to number n modulo their count. At least one.
    public let urls: [String]
    /// How many requests there are in all.
    public let requests: Int
    /// How many requests are in flight at a time; not more than there are requests.
    public let concurrency: Int
    /// Of the response, or of the upload; nil where the command line doesn't say. Always known of an
    /// upload.
    public let bodyBytes: Int?
    /// Whether HTTP/2 is asked for; HTTP/1.1 otherwise.
    public let usesHTTP2: Bool
    /// Whether connections are kept for further requests.
    public let reusesConnections: Bool
    /// Event loops, or their threads.
    public let loops: Int
    /// The file with the roots to trust; nil: the system's.
    public let certificateFile: String?
    /// Where downloads go; see ``output(ofPlace:)``.
    public let output: String?
    /// The file to upload; nil: from memory.
    public let input: String?

    /// Reads the process's arguments, and raises its limit of open files. Wrong arguments end the
    /// process with a message.
    ///
    /// - Parameters:
    ///   - variantOption: The option that chooses the kind of client; nil: there is but one kind.
    ///   - variants: The names that it takes, the default first.
    public static func read(variantOption: String? = nil, variants: [String] = []) -> LoadOptions {
        load_raise_file_limit()
        return LoadOptions(
            load_options_read(
                CommandLine.argc,
                CommandLine.unsafeArgv,
                variantOption,
                variants.joined(separator: ",")
            )
        )
    }

    private init(_ raw: load_options) {
        variant = Int(raw.variant)
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

    /// How much each request sends.
    public var uploadBytes: Int { mode == .upload ? bodyBytes ?? 0 : 0 }

    /// Where the request of that number goes.
    public func url(number: Int) -> String { urls[number % urls.count] }

    /// Where the download of one place in flight goes; nil: nowhere.
    public func output(ofPlace place: Int) -> String? {
        guard mode == .download else { return nil }
        return output.map { place == 0 ? $0 : "\($0).\(place)" }
    }
}
