internal import Foundation

/// The Python scripts in the target's resources.
enum Script: String {
    case httpbin = "httpbin_server"
    case faultyHTTP2 = "faulty_http2"
    case faultyHTTP3 = "faulty_http3"
    case limitedHTTP2 = "limited_http2"
    case moto = "moto_server"
    case socks4
    case tlsRelay = "tls_relay"
    case manyHosts = "many_hosts"
    case cuttingProxy = "cutting_proxy"

    var path: String? {
        Bundle.module.path(forResource: rawValue, ofType: "py", inDirectory: "Resources")
    }
}
