internal import CCurl

/// The result of a transfer or a call on an easy handle: a `CURLcode`.
///
/// A struct, not an enum, because the installed libcurl may be newer than the headers: an unknown
/// code keeps its number. Source: <https://curl.se/libcurl/c/libcurl-errors.html>.
package struct CurlCode: RawRepresentable, Error, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Whether the code is success.
    package var isOK: Bool { rawValue == 0 }

    // Disfavoured, so that a `switch` over a code compares codes without boxing.
    /// Lets a `catch` name the code: `catch CurlCode.couldntConnect`.
    @_disfavoredOverload
    package static func ~= (pattern: CurlCode, error: any Error) -> Bool {
        (error as? CurlCode) == pattern
    }
}

extension CurlCode: CustomStringConvertible {
    /// libcurl's text for the code, in English.
    ///
    /// The corresponding C function is `curl_easy_strerror`.
    package var description: String {
        guard rawValue >= 0 else { return "Unknown error" }
        let text = unsafe curl_easy_strerror(CURLcode(rawValue: UInt32(rawValue)))
        guard let text = unsafe text else { return "Unknown error" }
        return unsafe String(cString: text)
    }
}
