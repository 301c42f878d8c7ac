internal import CCurl

/// The values of enumerated options, with libcurl's names.
package enum EasyValue {
    /// <https://curl.se/libcurl/c/CURLOPT_HTTP_VERSION.html>
    package enum HTTPVersion {
        package static var http1_1: Int { Int(CURL_HTTP_VERSION_1_1) }
        package static var http2OverTLS: Int { Int(CURL_HTTP_VERSION_2TLS) }
        package static var http2PriorKnowledge: Int { Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE) }
        package static var http3: Int { Int(CURL_HTTP_VERSION_3) }
    }

    /// <https://curl.se/libcurl/c/CURLOPT_PROTOCOLS.html>
    package enum Scheme {
        package static var http: Int { Int(CURLPROTO_HTTP) }
        package static var https: Int { Int(CURLPROTO_HTTPS) }
    }

    /// <https://curl.se/libcurl/c/CURLOPT_SSLVERSION.html>
    package enum TLSVersion {
        package static var v1_0: Int { Int(CURL_SSLVERSION_TLSv1_0) }
        package static var v1_1: Int { Int(CURL_SSLVERSION_TLSv1_1) }
        package static var v1_2: Int { Int(CURL_SSLVERSION_TLSv1_2) }
        package static var v1_3: Int { Int(CURL_SSLVERSION_TLSv1_3) }

        /// Combines a minimum and a maximum like the `CURL_SSLVERSION_MAX_` values.
        package static func range(from minimum: Int, to maximum: Int) -> Int {
            minimum | maximum << 16
        }
    }

    /// <https://curl.se/libcurl/c/CURLOPT_HTTPAUTH.html>; these C macros can't be imported by
    /// Swift.
    package enum Authentication {
        package static var basic: Int { 1 << 0 }
        package static var digest: Int { 1 << 1 }
        package static var negotiate: Int { 1 << 2 }
        package static var ntlm: Int { 1 << 3 }
        package static var bearer: Int { 1 << 6 }
    }

    /// <https://curl.se/libcurl/c/CURLOPT_IPRESOLVE.html>
    package enum AddressFamily {
        package static var ipv4: Int { Int(CURL_IPRESOLVE_V4) }
        package static var ipv6: Int { Int(CURL_IPRESOLVE_V6) }
    }
}
