internal import CCurl

/// A `CURLMOPT_` option that takes a number.
///
/// See <https://curl.se/libcurl/c/multi_setopt_options.html>.
package struct MultiOption: Sendable {
    let option: CURLMoption

    /// <https://curl.se/libcurl/c/CURLMOPT_PIPELINING.html>: 2 multiplexes, 0 does not.
    package static var pipelining: Self { Self(option: CURLMOPT_PIPELINING) }

    /// <https://curl.se/libcurl/c/CURLMOPT_MAXCONNECTS.html>
    package static var maxConnects: Self { Self(option: CURLMOPT_MAXCONNECTS) }

    /// <https://curl.se/libcurl/c/CURLMOPT_MAX_CONCURRENT_STREAMS.html>
    package static var maxConcurrentStreams: Self { Self(option: CURLMOPT_MAX_CONCURRENT_STREAMS) }
}
