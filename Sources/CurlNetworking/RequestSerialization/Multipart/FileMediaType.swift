internal import CurlURLSession
internal import Foundation

/// The media types of files, by the extensions of their names.
enum FileMediaType {
    /// The media type of a file name, by its extension.
    ///
    /// The built-in tables come first, then this machine's `/etc/mime.types`. The default is
    /// `application/octet-stream`.
    static func type(ofFilename name: String) -> String {
        let pathExtension = (name as NSString).pathExtension.lowercased()
        if let type = certificates[pathExtension] { return type }
        let known = MediaType.type(ofFilename: name)
        guard known == MediaType.unknown else { return known }
        return machine[pathExtension] ?? MediaType.unknown
    }

    private static let certificates = [
        "cer": "application/x-x509-ca-cert",
        "crt": "application/x-x509-ca-cert",
        "der": "application/x-x509-ca-cert",
        "p12": "application/x-pkcs12",
        "pem": "application/x-pem-file",
    ]

    /// The types of `/etc/mime.types`; read once.
    private static let machine: [String: String] = {
        let text = (try? String(contentsOfFile: "/etc/mime.types", encoding: .utf8)) ?? ""
        return types(in: text)
    }()

    /// Parses lines of a media type and its extensions.
    ///
    /// Comments start with `#`.
    static func types(in text: String) -> [String: String] {
        var types: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            guard let type = words.first else { continue }
            for name in words.dropFirst() where types[name.lowercased()] == nil {
                types[name.lowercased()] = String(type)
            }
        }
        return types
    }
}
