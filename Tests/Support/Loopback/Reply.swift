package import CurlTransportTesting

// Short names for tests of the package.

package typealias Reply = LoopbackReply
package typealias Step = LoopbackStep
package typealias RecordedRequest = LoopbackRequest
package typealias ConnectionRecord = LoopbackConnection
package typealias ServerOptions = LoopbackOptions
