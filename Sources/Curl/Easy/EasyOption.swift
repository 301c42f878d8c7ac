internal import CCurl

/// A `CURLOPT_` option together with the type of its value.
///
/// The options that the engine sets are listed in `EasyOption+Names.swift`, each under libcurl's
/// own name. See <https://curl.se/libcurl/c/easy_setopt_options.html>.
package struct EasyOption<Value>: Sendable, Hashable {
    let rawValue: UInt32

    init(_ option: CURLoption) {
        rawValue = option.rawValue
    }

    init(number: UInt32) {
        rawValue = number
    }

    var option: CURLoption { CURLoption(rawValue: rawValue) }
}

/// An option that libcurl refused.
package struct EasyOptionFailure: Error, Hashable, Sendable {
    /// libcurl's answer, such as `CURLE_NOT_BUILT_IN`.
    package let code: CurlCode

    /// The option's name without `CURLOPT_`, such as `PROXY_CAINFO`.
    package let option: String

    init(code: CURLcode, option: CURLoption) {
        self.code = CurlCode(rawValue: Int32(code.rawValue))
        if let known = unsafe curl_easy_option_by_id(option) {
            self.option = unsafe String(cString: known.pointee.name)
        } else {
            self.option = "option \(option.rawValue)"
        }
    }
}
