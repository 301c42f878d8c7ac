extension FetchTarget {
    /// The `robots.txt` of this host and port.
    var robots: FetchTarget {
        let scheme = isSecure ? "https" : "http"
        let name = host.contains(":") ? "[\(host)]" : host
        // Its parts are those of a URL that could be read.
        var target = (try? FetchTarget("\(scheme)://\(name):\(port)/robots.txt")) ?? self
        target.isRobots = true
        return target
    }
}
