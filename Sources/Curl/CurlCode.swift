internal import CCurl

/// What libcurl says of one transfer or one call on an easy handle: a `CURLcode`.
///
/// A struct and no enum, because the installed libcurl may be newer than the headers: a code that
/// has no name here keeps its number. Source: <https://curl.se/libcurl/c/libcurl-errors.html>.
package struct CurlCode: RawRepresentable, Error, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Whether nothing went wrong.
    package var isOK: Bool { rawValue == 0 }

    // Disfavoured, so that a `switch` over a code compares codes and boxes nothing.
    /// Lets a `catch` name the code: `catch CurlCode.couldntConnect`.
    @_disfavoredOverload
    package static func ~= (pattern: CurlCode, error: any Error) -> Bool {
        (error as? CurlCode) == pattern
    }
}

extension CurlCode: CustomStringConvertible {
    /// libcurl's own words for the code, in English.
    ///
    /// The corresponding C function is `curl_easy_strerror`.
    package var description: String {
        guard rawValue >= 0 else { return "Unknown error" }
        let text = unsafe curl_easy_strerror(CURLcode(rawValue: UInt32(rawValue)))
        guard let text = unsafe text else { return "Unknown error" }
        return unsafe String(cString: text)
    }
}
