internal import CurlURLSession

extension URLSessionManager {
    /// Who is told of all that happens, each on its own queue; nobody by default. Without any, nothing is put
    /// together for them.
    public var eventMonitors: [any EventMonitor] {
        get { core.read(\.monitors) }
        set { core.setMonitors(newValue) }
    }
}
