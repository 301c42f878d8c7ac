import HTTPTypes

/// Which URLs of a list count as one.
public enum Deduplication: String, Sendable, Hashable, CaseIterable {
    /// None: what stands in a list twice is fetched twice.
    case off
    /// Those whose text is the same.
    case exact
    /// Those that mean the same by RFC 3986, section 6.2.2 and 6.2.3: `HTTP://A:80/%7Eb/../c#d` and
    /// `http://a/c`.
    case normalised

    /// What is the same for requests that count as one: URL, method, fields and content.
    func key(of target: FetchTarget) -> [[UInt8]] {
        let url =
            self == .normalised
            ? URLNormalisation.bytes(of: target) : Array(target.url.utf8)
        guard let request = target.details?.request else { return [url] }
        var key = [url]
        if request.method != .get { key.append(Array(request.method.rawValue.utf8)) }
        for field in request.headerFields {
            key.append(Array("\(field.name.canonicalName): \(field.value)".utf8))
        }
        switch request.body {
        case .none: break
        case .bytes(let bytes): key.append(bytes)
        case .file(let path): key.append(Array("file \(path)".utf8))
        }
        return key
    }
}
