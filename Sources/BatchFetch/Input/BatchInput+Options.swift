import Curl

extension BatchInput {
    /// How lists are read, and what of them is taken.
    public struct Options: Sendable, Hashable {
        /// How the lists are written; by their names unless told otherwise.
        public var format = InputFormat.automatic
        /// The columns of CSV and TSV.
        public var columns = InputColumns()
        /// An absolute URL; what of a list is none is a reference that is resolved against it
        /// (RFC 3986, section 5). `nil`: it must be absolute itself.
        public var base: String?
        /// Whether URLs are patterns that stand for many, made one at a time: `{1..1000}`,
        /// `{001..100}`, `{1..9..2}` (by 2), `{a..f}`, `{x,y}`, and curl's `[001-100]` and
        /// `[1-9:2]`. The last one turns fastest; a backslash makes a brace or bracket plain. Off
        /// unless told otherwise, since braces and brackets occur in URLs.
        public var expandsPatterns = false
        /// Whether the first line that is malformed ends the run as an
        /// ``BatchRun/inputFailure``. Otherwise it costs itself only.
        public var isStrict = false
        /// Which URLs count as one: what comes a second time is neither fetched nor has a result.
        public var deduplication = Deduplication.off
        /// The part of the list that is taken; `nil` for all of it. Numbers of lines and ordinals are
        /// those of the whole list.
        public var shard: InputShard?

        /// Creates options with the defaults.
        public init() {}
    }

    /// - Throws: ``BatchFailure/Code/configuration`` for options that make no sense.
    func validate() throws(BatchFailure) {
        if let base = options.base {
            do throws(BatchFailure) {
                _ = try FetchTarget(base)
            } catch {
                throw BatchFailure(.configuration, "the base URL can't be used: \(error)")
            }
            guard (try? CurlURL(parsing: base))?.hasUserInfo != true else {
                throw BatchFailure(
                    .configuration,
                    "the base URL has a user name or password, which references don't take "
                        + "over: leave it out, and write it in the lines"
                )
            }
        }
        guard case .lists(let lists) = kind else { return }
        guard !lists.isEmpty else {
            throw BatchFailure(.input, "there is no list: name a file, or - for standard input")
        }
        guard lists.count(where: { $0 == .standardInput }) <= 1 else {
            throw BatchFailure(
                .configuration,
                "the standard input can be read only once: give - once"
            )
        }
        for list in lists.dropFirst() { try list.check() }
    }
}
