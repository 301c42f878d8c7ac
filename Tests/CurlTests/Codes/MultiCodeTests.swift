import Curl
import Posix
import Testing

struct MultiCodeTests {
    @Test(arguments: [Int32.min] + Array(-1...20) + [Int32.max])
    func everyCodeHasDescriptionAndNumber(rawValue: Int32) {
        let code = MultiCode(rawValue: rawValue)
        #expect(code.rawValue == rawValue)
        #expect(!code.description.isEmpty)
    }

    @Test func namesMatchLibcurlNumbers() {
        #expect(MultiCode.callMultiPerform.rawValue == -1)
        #expect(MultiCode.addedAlready.rawValue == 7)
        #expect(MultiCode.unrecoverablePoll.rawValue == 12)
    }
}
