internal import CurlTransport
internal import Foundation
internal import HTTPSemantics

/// The header fields that sessions add to requests that lack them.
///
/// They are the same for the whole process.
enum AddedFields {
    /// `User-Agent`: the program's name, and the versions of this library and of libcurl.
    static let userAgent: String = agent(ofProgram: ProcessInfo.processInfo.processName)

    /// `Accept-Language`: the language of the current locale; `nil` if it has none.
    static let acceptLanguage: String? = language(of: .current)

    /// The value of `User-Agent` for a program. Characters that can't be sent are left out.
    static func agent(ofProgram name: String) -> String {
        let sent = name.unicodeScalars.filter { (0x20...0x7e).contains($0.value) }
        let shown = String(String.UnicodeScalarView(sent)).trimmingFieldWhitespace
        let product = shown.isEmpty ? "unknown" : shown
        return "\(product) (unknown version) \(TransferOptions.defaultUserAgent)"
    }

    /// The value of `Accept-Language` for a locale.
    static func language(of locale: Locale) -> String? {
        guard let code = locale.language.languageCode?.identifier, !code.isEmpty,
            code.utf8.allSatisfy(\.isASCIILetter)
        else { return nil }
        return code
    }

    /// The value of `Accept-Language` that a session adds to a request with these fields.
    static func language(lackedBy fields: RequestHeaderFields) -> String? {
        fields["Accept-Language"] == nil ? acceptLanguage : nil
    }
}
