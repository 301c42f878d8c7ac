/// How the files of an output folder are called.
public struct FileNaming: Sendable, Hashable {
    /// What is done where a file has the name already.
    public enum Existing: String, Sendable, Hashable, CaseIterable {
        /// It is replaced, once the new body is complete; another URL's body of the same run is not, and
        /// the URL fails with ``BatchFailure/Code/nameCollision``.
        case overwrite
        /// It stays, and its URL is not fetched; where it is another URL's body of the same run, the URL
        /// fails with ``BatchFailure/Code/nameCollision``.
        case skip
        /// It stays, and the new one gets a number: `a.txt`, `a-1.txt`, `a-2.txt` …
        case number
        /// It stays, and the URL fails with ``BatchFailure/Code/existingFile``; it is not fetched where its
        /// name is known before.
        case error
    }

    /// Of what names are made; `nil` for those that follow from the URL (`host/path`) and never are
    /// another URL's. A name that the list gives to a URL goes before either.
    public var template: NameTemplate?
    /// How many levels of folders, named with two hexadecimal digits each, stand above the names:
    /// with 2 there are 65,536, so that no folder has too many entries. From 0, the default, to 4.
    public var fanout: Int
    /// What is done where a file has the name already. Overwritten unless told otherwise.
    public var existing: Existing

    /// Creates a way to name files.
    public init(
        template: NameTemplate? = nil,
        fanout: Int = 0,
        existing: Existing = .overwrite
    ) {
        self.template = template
        self.fanout = min(max(fanout, 0), 4)
        self.existing = existing
    }

    /// The name of a URL's file, relative to the output folder.
    func name(for job: FetchJob, contentType: String?) -> FileName {
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

    /// Whether another URL may have the same name.
    func mayCollide(for job: FetchJob) -> Bool {
        template != nil || job.target.details?.request.name != nil
    }

    /// Whether a URL whose file is there needn't be fetched.
    var stopsEarly: Bool { existing == .skip || existing == .error }

    /// Whether the name is known before there is a response.
    func isKnownEarly(for job: FetchJob) -> Bool {
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
