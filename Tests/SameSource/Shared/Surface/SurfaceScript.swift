import Foundation

/// Uses everything that the URL loading system declares, as intended.
///
/// Values are logged. Code that needs nothing but the network, or would end the process, is only
/// compiled.
enum SurfaceScript {
    static let steps = [
        Step("names") { names($0) },
        Step("TLS") { tls($0) },
        Step("requests") { requests($0) },
        Step("request objects") { requestObjects($0) },
        Step("request archives") { try requestArchives($0) },
        Step("responses") { responses($0) },
        Step("HTTP responses") { httpResponses($0) },
        Step("response archives") { try responseArchives($0) },
        Step("cookies") { cookies($0) },
        Step("cookie fields") { cookieFields($0) },
        Step("cookie storage") { cookieStorage($0) },
        Step("sorted cookies") { sortedCookies($0) },
        Step("credentials") { try credentials($0) },
        Step("protection spaces") { protectionSpaces($0) },
        Step("credential storage") { credentialStorage($0) },
        Step("challenges") { challenges($0) },
        Step("cache") { cache($0) },
        Step("cached responses") { cachedResponses($0) },
        Step("cache of a task", cacheOfATask),
        Step("configuration") { configuration($0) },
        Step("sessions", sessions),
        Step("flush and reset", flushAndReset),
        Step("data", data),
        Step("uploads", uploads),
        Step("streamed upload", streamedUpload),
        Step("downloads", downloads),
        Step("tasks", tasks),
        Step("progress", progress),
        Step("tasks of a session", tasksOfASession),
        Step("delegate's defaults", delegateDefaults),
        Step("delegate's own", delegateOwn),
        Step("metrics", metrics),
        Step("protocol", protocols),
        Step("protocol of a delegate", protocolOfADelegate),
        Step("registered protocol", registeredProtocol),
        Step("protocol's properties") { try protocolProperties($0) },
        Step("lone protocol") { try loneProtocol($0) },
        Step("protocol of a task") { protocolOfATask($0) },
        Step("subclasses") { subclasses($0) },
        Step("deprecated") { (OldUses() as any Uses).write($0) },
        Step("web socket names") { webSocketNames($0) },
        Step("web socket", webSocket),
    ]

    /// Whether a type has the conformances that generic code needs.
    static func hasValue<Value: Hashable & Sendable>(_ value: Value, equalTo other: Value) -> Bool {
        var hasher = Hasher()
        value.hash(into: &hasher)
        return value == other && !(value != other) && value.hashValue == other.hashValue
    }
}
