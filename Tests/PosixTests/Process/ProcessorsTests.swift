import Foundation
import Posix
import Testing

@Suite struct ProcessorsTests {
    @Test("The processors that may be used are some of those of the machine")
    func usableProcessorsAreSome() {
        #expect((1...ProcessInfo.processInfo.processorCount).contains(Processors.usableCount))
    }
}
