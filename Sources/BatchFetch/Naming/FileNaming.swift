/// A URL of a list with its position, from which the name of its file follows.
protocol NamedURL {
    var target: FetchTarget { get }
    /// The line in its list, from 1.
    var line: Int { get }
    /// The position in the whole input, from 1, across all lists.
    var ordinal: Int { get }
}

/// How to name the files in an output folder.
public struct FileNaming: Sendable, Hashable {
    /// What to do if a file with the name exists.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Existing: String, Sendable, Hashable, CaseIterable {
        /// Replaces the file when the new body is complete.
        ///
        /// If it is another URL's body of the same run, the URL fails with
        /// ``BatchFailure/Code/nameCollision`` instead.
        case overwrite
        /// Keeps the file, and doesn't fetch the URL.
        ///
        /// If it is another URL's body of the same run, the URL fails with
        /// ``BatchFailure/Code/nameCollision``.
        case skip
        /// Keeps the file, and adds a number to the new name. For instance `a.txt`, `a-1.txt`,
        /// `a-2.txt` …
        case number
        /// Keeps the file; the URL fails with ``BatchFailure/Code/existingFile``.
        ///
        /// The URL isn't fetched if the name is known before the response.
        case error
    }

    /// The template for names. `nil`, the default, derives unique names from the URLs
    /// (`host/path`).
    ///
    /// A name that the list gives to a URL takes precedence.
    public var template: NameTemplate?
    /// How many levels of folders to put above the names. 0 (the default) to 4.
    ///
    /// Each folder is named with two hexadecimal digits. 2 levels give 65,536 folders, so that none
    /// has too many entries.
    public var fanout: Int
    /// What to do if a file with the name exists. The default is ``Existing/overwrite``.
    public var existing: Existing

    /// Creates naming rules; `fanout` is clamped to 0 … 4.
    public init(
        template: NameTemplate? = nil,
        fanout: Int = 0,
        existing: Existing = .overwrite
    ) {
        self.template = template
        self.fanout = min(max(fanout, 0), 4)
        self.existing = existing
    }

    /// Returns the name of a URL's file, relative to the output folder.
    func name(for job: some NamedURL, contentType: String?) -> FileName {
        let target = job.target
        var name: FileName
        if let given = target.details?.request.name {
            name = FileName(given, url: target.url)
        } else if let template {
            name = FileName(template.text(for: job, contentType: contentType), url: target.url)
        } else {
            name = FileName(SafeName(target))
        }
        if fanout > 0 { name.prepend(Self.folders(fanout, for: target.url)) }
        return name
    }

    /// Whether another URL may get the same name.
    func mayCollide(for job: some NamedURL) -> Bool {
        template != nil || job.target.details?.request.name != nil
    }

    /// Whether a URL whose file exists isn't fetched.
    var stopsEarly: Bool { existing == .skip || existing == .error }

    /// Whether the name is known before the response.
    func isKnownEarly(for job: some NamedURL) -> Bool {
        guard job.target.details?.request.name == nil, let template else { return true }
        return !template.needsContentType(for: job)
    }

    private static func folders(_ count: Int, for url: String) -> String {
        let digits = Array(StableHash.digits(url.utf8).utf8)
        return (0..<count).map { level in
            String(decoding: digits[(2 * level)..<(2 * level + 2)], as: UTF8.self) + "/"
        }.joined()
    }
}
