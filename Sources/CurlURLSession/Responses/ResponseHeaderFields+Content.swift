/// What the header fields say about the content.
extension ResponseHeaderFields {
    /// The media type in small letters, without its parameters; `nil` where none is given. Where
    /// several are given, the last.
    var mimeType: String? {
        contentType.map { $0.value.lowercased() }
    }

    /// The `charset` of the media type in small letters.
    var textEncodingName: String? {
        contentType?["charset"].flatMap { $0.isEmpty ? nil : $0.lowercased() }
    }

    private var contentType: ParameterizedValue? {
        self["Content-Type"].flatMap { text in
            ParameterizedValue.list(text).last { !$0.value.isEmpty }
        }
    }

    /// How many bytes the body has; -1 where that isn't known.
    ///
    /// That is where `Content-Length` isn't a number, or is two different ones (RFC 9110, 8.6), where
    /// a transfer coding takes its place (RFC 9112, 6.3), and where the content is coded: then it
    /// counts bytes that nobody is given.
    var expectedContentLength: Int64 {
        let unknown: Int64 = -1
        let codings = values("Content-Encoding").flatMap { ParameterizedValue.list($0) }
        guard values("Transfer-Encoding").isEmpty,
            codings.allSatisfy({ $0.value.equalsIgnoringASCIICase("identity") })
        else { return unknown }
        let lengths = Set(
            values("Content-Length").flatMap { $0.split(separator: ",") }
                .map { String($0).trimmingFieldWhitespace }
        )
        guard lengths.count == 1, let length = lengths.first,
            length.utf8.allSatisfy({ $0.isASCIIDigit })
        else { return unknown }
        return Int64(length) ?? unknown
    }
}
