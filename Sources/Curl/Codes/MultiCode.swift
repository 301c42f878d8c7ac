internal import CCurl

/// The result of a call on a multi handle: a `CURLMcode`.
///
/// An unknown code keeps its number. Source: <https://curl.se/libcurl/c/libcurl-errors.html>.
package struct MultiCode: RawRepresentable, Error, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Whether the code is success.
    package var isOK: Bool { rawValue == 0 }

    // Disfavoured, so that a `switch` over a code compares codes without boxing.
    /// Lets a `catch` name the code: `catch MultiCode.addedAlready`.
    @_disfavoredOverload
    package static func ~= (pattern: MultiCode, error: any Error) -> Bool {
        (error as? MultiCode) == pattern
    }
}

extension MultiCode: CustomStringConvertible {
    /// libcurl's text for the code, in English.
    ///
    /// The corresponding C function is `curl_multi_strerror`.
    package var description: String {
        let text = unsafe curl_multi_strerror(CURLMcode(rawValue: rawValue))
        guard let text = unsafe text else { return "Unknown error" }
        return unsafe String(cString: text)
    }
}

// The names are libcurl's, without the prefix CURLM_.

extension MultiCode {
    package static let callMultiPerform = MultiCode(rawValue: -1)
    package static let ok = MultiCode(rawValue: 0)
    package static let badHandle = MultiCode(rawValue: 1)
    package static let badEasyHandle = MultiCode(rawValue: 2)
    package static let outOfMemory = MultiCode(rawValue: 3)
    package static let internalError = MultiCode(rawValue: 4)
    package static let badSocket = MultiCode(rawValue: 5)
    package static let unknownOption = MultiCode(rawValue: 6)
    package static let addedAlready = MultiCode(rawValue: 7)
    package static let recursiveAPICall = MultiCode(rawValue: 8)
    package static let wakeupFailure = MultiCode(rawValue: 9)
    package static let badFunctionArgument = MultiCode(rawValue: 10)
    package static let abortedByCallback = MultiCode(rawValue: 11)
    package static let unrecoverablePoll = MultiCode(rawValue: 12)
}
