import Curl
import Posix
import Testing

struct CurlCodeTests {
    @Test(arguments: Int32(0)...99)
    func everyCodeHasDescription(rawValue: Int32) {
        #expect(!CurlCode(rawValue: rawValue).description.isEmpty)
    }

    @Test(arguments: [Int32.min, -1, 100, 4711, Int32.max])
    func unknownCodeKeepsItsNumber(rawValue: Int32) {
        let code = CurlCode(rawValue: rawValue)
        #expect(code.rawValue == rawValue)
        #expect(!code.description.isEmpty)
    }

    @Test func namesMatchLibcurlNumbers() {
        #expect(CurlCode.ok.rawValue == 0)
        #expect(CurlCode.couldntResolveHost.rawValue == 6)
        #expect(CurlCode.operationTimedOut.rawValue == 28)
        #expect(CurlCode.peerFailedVerification.rawValue == 60)
        #expect(CurlCode.unrecoverablePoll.rawValue == 99)
        #expect(CurlCode.operationTimedOut.description == "Timeout was reached")
    }

    @Test func codeIsMatchedInCatch() {
        do {
            throw CurlCode.couldntConnect
        } catch CurlCode.couldntResolveHost {
            Issue.record("another code")
        } catch CurlCode.couldntConnect {
        } catch {
            Issue.record("no pattern matched")
        }
    }
}
