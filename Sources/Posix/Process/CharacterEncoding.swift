internal import Glibc

/// The character encoding of the process.
package enum CharacterEncoding {
    /// Chooses UTF-8, regardless of the environment's locale.
    ///
    /// libcurl converts host names such as `bücher.example` for the DNS from the locale's encoding
    /// (`CURLOPT_URL`), and a process begins in the locale `C`, which has only ASCII. Call it before
    /// threads start. No other part of the locale changes.
    package static func useUTF8() {
        // glibc has the first since 2.35. Debian and Fedora had it before.
        for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8"] {
            if unsafe setlocale(LC_CTYPE, name) != nil { return }
        }
        // That of the environment may have UTF-8, too.
        unsafe setlocale(LC_CTYPE, "")
    }
}
