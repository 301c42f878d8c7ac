import Curl

/// Makes of the records of one list what they ask for. Pure.
struct RecordReader: Sendable {
    /// What a record comes to.
    enum Meaning: Sendable {
        /// Nothing: the row of names.
        case nothing
        case content(InputLine.Content)
        /// Many URLs, with what else is said about each.
        case pattern(URLPattern, BatchRequest)
    }

    private let format: InputFormat
    private let options: BatchInput.Options
    private var places: InputColumns.Places?

    init(_ format: InputFormat, _ options: BatchInput.Options) {
        self.format = format
        self.options = options
    }

    /// Whether the next record stands for one URL, or for one line that is none, whatever it says.
    var makesOneURL: Bool {
        guard !options.expandsPatterns else { return false }
        return switch format {
        case .lines, .jsonLines, .automatic: true
        // The first row may be that of the names.
        case .csv, .tsv: places != nil
        }
    }

    /// - Throws: ``BatchFailure`` where the list can't be read at all.
    mutating func read(_ record: InputRecord) throws(BatchFailure) -> Meaning {
        switch record.content {
        case .line(.text(let text)):
            return format == .jsonLines ? json(text) : plain(text)
        case .line(let content):
            return .content(content)
        case .damaged(let reason):
            let failure = BatchFailure(.invalidLine, reason)
            return .content(.malformed(beginning: "line \(record.line)", failure))
        case .row(let fields):
            guard let places else { return try firstRow(fields) }
            return row(fields, places)
        }
    }

    // MARK: Lines

    private func plain(_ text: String) -> Meaning {
        if options.expandsPatterns { return pattern(BatchRequest(url: text), beginning: text) }
        guard options.base != nil else { return .content(.text(text)) }
        return resolved(BatchRequest(url: text), beginning: text)
    }

    private func json(_ text: String) -> Meaning {
        do throws(BatchFailure) {
            let request = try JSONRequest.request(in: text)
            return meaning(of: request, beginning: Self.beginning(of: text))
        } catch {
            return .content(.malformed(beginning: Self.beginning(of: text), error))
        }
    }

    private static func beginning(of text: String) -> String {
        text.utf8.count <= 120 ? text : "\(text.prefix(120))…"
    }

    // MARK: Rows

    private mutating func firstRow(_ fields: [String]) throws(BatchFailure) -> Meaning {
        let areNumbers = options.columns.areNumbers
        let places = try options.columns.places(in: areNumbers ? nil : fields)
        self.places = places
        return areNumbers ? row(fields, places) : .nothing
    }

    private func row(_ fields: [String], _ places: InputColumns.Places) -> Meaning {
        func field(_ place: Int?) -> String? {
            guard let place, fields.indices.contains(place), !fields[place].isEmpty else {
                return nil
            }
            return fields[place]
        }
        let beginning = Self.beginning(of: fields.joined(separator: ","))
        func malformed(_ reason: String) -> Meaning {
            .content(.malformed(beginning: beginning, BatchFailure(.invalidLine, reason)))
        }
        guard let url = field(places.url) else {
            return malformed("the row has no URL in column \(places.url + 1)")
        }
        var request = BatchRequest(url: url)
        request.tag = field(places.tag)
        request.name = field(places.name)
        if let text = field(places.sha256) {
            guard let digest = ExpectedDigest(.sha256, hexadecimal: text) else {
                return malformed("the row's SHA-256 is not 64 hexadecimal digits")
            }
            request.digests = [digest]
        }
        return meaning(of: request, beginning: beginning)
    }

    // MARK: URLs

    private func meaning(of request: BatchRequest, beginning: String) -> Meaning {
        options.expandsPatterns
            ? pattern(request, beginning: beginning) : resolved(request, beginning: beginning)
    }

    private func pattern(_ request: BatchRequest, beginning: String) -> Meaning {
        do throws(BatchFailure) {
            let pattern = try URLPattern(request.url)
            guard pattern.isPlain else { return .pattern(pattern, request) }
            var request = request
            request.url = pattern.makeIterator().first ?? request.url
            return resolved(request, beginning: beginning)
        } catch {
            return .content(.malformed(beginning: beginning, error))
        }
    }

    private func resolved(_ request: BatchRequest, beginning: String) -> Meaning {
        .content(content(of: request, beginning: beginning))
    }

    /// One URL, made absolute.
    func content(of request: BatchRequest, beginning: String) -> InputLine.Content {
        guard let base = options.base, FetchTarget.schemeSeparator(in: request.url) == nil
        else { return request.isPlain ? .text(request.url) : .request(request) }
        do throws(CurlURL.Failure) {
            var request = request
            let baseURL = try CurlURL(parsing: base)
            request.url = try CurlURL(parsing: request.url, relativeTo: baseURL).string
            return request.isPlain ? .text(request.url) : .request(request)
        } catch {
            let failure = BatchFailure(.invalidURL, "under the base URL: \(error.message)")
            return .malformed(beginning: beginning, failure)
        }
    }
}

extension URLPattern.Iterator {
    /// The next one, of a copy.
    var first: String? {
        var copy = self
        return copy.next()
    }
}
