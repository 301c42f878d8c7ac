internal import CurlTransportTesting
internal import Dispatch

extension Gate {
    /// Blocks the thread until the gate is open. Not for use in tasks.
    package func waitBlocking() {
        let opened = DispatchSemaphore(value: 0)
        onOpen { opened.signal() }
        opened.wait()
    }
}
