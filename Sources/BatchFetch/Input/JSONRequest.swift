internal import CurlTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Posix

/// A line of a JSONL list.
///
///     {"url": "https://example.org/a", "method": "POST", "headers": {"Accept": "text/html"},
///      "body": "text", "timeout": 20, "out": "a.html", "tag": "first", "priority": 1,
///      "sha256": "…", "sha1": "…", "md5": "…"}
///     {"urls": ["https://example.org/a", "https://mirror.example.net/a"],
///      "share_credentials": true}
///
/// Only `url` or `urls` is required; the URLs after the first are mirrors. Instead of `body` there
/// may be `body_base64`, or `body_file` with the path of a file below
/// ``BatchInput/Options/bodyFolder``. A header with several values has an array of them. `timeout`
/// is in seconds.
struct JSONRequest: Decodable {
    /// The known keys; any other key is an error.
    private enum Key: String, CodingKey, CaseIterable {
        case url, method, headers, body
        case bodyBase64 = "body_base64"
        case bodyFile = "body_file"
        case timeout, out, sha256, sha1, md5, tag, priority, urls
        case shareCredentials = "share_credentials"
    }

    let request: BatchRequest

    init(from decoder: any Decoder) throws {
        try Self.checkKeys(of: decoder)
        let object = try decoder.container(keyedBy: Key.self)
        var request = try Self.request(in: object)
        if let text = try object.decodeIfPresent(String.self, forKey: .method) {
            guard let method = HTTPRequest.Method(rawValue: text) else {
                throw JSONProblem("“method” is not an HTTP method: “\(text.prefix(40))”")
            }
            request.method = method
        }
        request.headerFields = try Self.fields(in: object)
        request.body = try Self.body(in: object)
        if let seconds = try object.decodeIfPresent(Double.self, forKey: .timeout) {
            guard seconds >= 0.001, seconds <= 1e9 else {
                throw JSONProblem("“timeout” is \(seconds): use seconds, 0.001 or more")
            }
            request.timeout = .seconds(seconds)
        }
        request.name = try Self.name(in: object)
        request.digests = try Self.digests(in: object)
        request.tag = try object.decodeIfPresent(Text.self, forKey: .tag)?.text
        request.priority = try object.decodeIfPresent(Int.self, forKey: .priority) ?? 0
        self.request = request
    }

    /// Parses a line.
    ///
    /// - Parameter bodyFolder: ``BatchInput/Options/bodyFolder``.
    /// - Throws: ``BatchFailure`` with the error in the line.
    static func request(
        in line: String,
        bodyFolder: String? = nil
    ) throws(BatchFailure) -> BatchRequest {
        var request = try decoded(line)
        if case .file(let path) = request.body {
            request.body = .file(path: try bodyFile(path, below: bodyFolder))
        }
        return request
    }

    private static func decoded(_ line: String) throws(BatchFailure) -> BatchRequest {
        do {
            let data = Data(line.utf8)
            let request = try JSONDecoder().decode(JSONRequest.self, from: data).request
            guard let key = JSONKeys.repeated(in: line) else { return request }
            throw JSONProblem("the key “\(key.prefix(40))” occurs twice: remove one of its values")
        } catch let problem as JSONProblem {
            throw BatchFailure(.invalidLine, problem.message)
        } catch let error as DecodingError {
            throw BatchFailure(.invalidLine, JSONProblem(error).message)
        } catch {
            throw BatchFailure(.invalidLine, "it is not a JSON object")
        }
    }

    /// Returns the real path of a body's file, which must be below the folder.
    ///
    /// A list may come from another machine, whose users must not read files of this one.
    private static func bodyFile(
        _ path: String,
        below folder: String?
    ) throws(BatchFailure) -> String {
        guard let folder else {
            throw BatchFailure(
                .invalidLine,
                "“body_file” is only read below a folder that you name: add --body-folder DIR "
                    + "(BatchInput.Options.bodyFolder)"
            )
        }
        let real: String?
        do throws(FileError) {
            real = try FileSystem.realPath(of: path, below: folder)
        } catch {
            throw BatchFailure(.invalidLine, "“body_file”: \(error)")
        }
        guard let real else {
            throw BatchFailure(
                .invalidLine,
                "“body_file” is not below the folder “\(folder)”: move the file there, or name "
                    + "another --body-folder"
            )
        }
        return real
    }

    private static let known = Set(Key.allCases.map(\.rawValue))

    private static func checkKeys(of decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        guard let unknown = keys.filter({ !known.contains($0) }).min() else { return }
        let names = Key.allCases.map(\.rawValue).joined(separator: ", ")
        throw JSONProblem("unknown key “\(unknown.prefix(40))”: the known ones are \(names)")
    }

    /// The request with its URLs only.
    private static func request(
        in object: KeyedDecodingContainer<Key>
    ) throws -> BatchRequest {
        let url = try object.decodeIfPresent(String.self, forKey: .url)
        let urls = try object.decodeIfPresent([String].self, forKey: .urls)
        guard url == nil || urls == nil else {
            throw JSONProblem("url and urls exclude each other: use only one")
        }
        if let urls, urls.isEmpty { throw JSONProblem("“urls” is empty: name one URL or more") }
        guard let first = url ?? urls?.first else { throw JSONProblem("“url” is missing") }
        var request = BatchRequest(url: first)
        request.mirrors = Array((urls ?? []).dropFirst())
        request.sharesCredentials =
            try object.decodeIfPresent(Bool.self, forKey: .shareCredentials) ?? false
        return request
    }

    private static func fields(in object: KeyedDecodingContainer<Key>) throws -> HTTPFields {
        var fields = HTTPFields()
        let values = try object.decodeIfPresent([String: Texts].self, forKey: .headers) ?? [:]
        for (name, texts) in values.sorted(by: { $0.key < $1.key }) {
            for text in texts.texts {
                do throws(TransportError) {
                    fields.append(try HTTPField(validating: name, value: text))
                } catch {
                    throw JSONProblem("“headers”: \(error.message)")
                }
            }
        }
        return fields
    }

    private static func body(
        in object: KeyedDecodingContainer<Key>
    ) throws -> BatchRequest.Body {
        let bodies: [Key] = [.body, .bodyBase64, .bodyFile]
        guard bodies.count(where: { object.contains($0) }) <= 1 else {
            throw JSONProblem("body, body_base64 and body_file exclude each other: use only one")
        }
        if let text = try object.decodeIfPresent(String.self, forKey: .body) {
            return .bytes(Array(text.utf8))
        }
        if let text = try object.decodeIfPresent(String.self, forKey: .bodyBase64) {
            guard let bytes = Data(base64Encoded: text) else {
                throw JSONProblem("“body_base64” is not base 64")
            }
            return .bytes([UInt8](bytes))
        }
        guard let path = try object.decodeIfPresent(String.self, forKey: .bodyFile) else {
            return .none
        }
        guard !path.isEmpty else { throw JSONProblem("“body_file” is empty: name a file") }
        return .file(path: path)
    }

    private static func name(in object: KeyedDecodingContainer<Key>) throws -> String? {
        guard let name = try object.decodeIfPresent(String.self, forKey: .out) else { return nil }
        guard !name.isEmpty else { throw JSONProblem("“out” is empty: name a file") }
        return name
    }

    private static func digests(
        in object: KeyedDecodingContainer<Key>
    ) throws -> [ExpectedDigest] {
        let keys: [(Key, DigestAlgorithm)] = [
            (.sha256, .sha256), (.sha1, .sha1), (.md5, .md5),
        ]
        var digests: [ExpectedDigest] = []
        for (key, algorithm) in keys {
            guard let text = try object.decodeIfPresent(String.self, forKey: key) else { continue }
            guard let digest = ExpectedDigest(algorithm, hexadecimal: text) else {
                let count = 2 * algorithm.byteCount
                throw JSONProblem("“\(key.rawValue)” needs \(count) hexadecimal digits")
            }
            digests.append(digest)
        }
        return digests
    }

    /// A key with any name.
    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    /// A string, or an integer that is converted to one.
    private struct Text: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let number = try? value.decode(Int64.self) {
                text = String(number)
            } else {
                text = try value.decode(String.self)
            }
        }
    }

    /// A string or an array of strings.
    private struct Texts: Decodable {
        let texts: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                texts = [text]
            } else {
                texts = try value.decode([String].self)
            }
        }
    }
}
