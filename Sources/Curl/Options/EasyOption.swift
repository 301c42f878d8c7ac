internal import CCurl

/// A `CURLOPT_` option with the type of its value.
///
/// `EasyOption+LibcurlOptions.swift` lists the options that this library sets, each with libcurl's
/// name. See <https://curl.se/libcurl/c/easy_setopt_options.html>.
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

/// The error for an option that libcurl refused.
package struct EasyOptionFailure: Error, Hashable, Sendable {
    /// libcurl's code, such as `CURLE_NOT_BUILT_IN`.
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

/// An option with its value, which can be applied to many handles.
package enum EasySetting: Sendable, Hashable {
    case flag(EasyOption<Bool>, Bool)
    case number(EasyOption<Int>, Int)
    case amount(EasyOption<Int64>, Int64)
    case text(EasyOption<String?>, String?)
    case bytes(EasyOption<[UInt8]>, [UInt8])
}
