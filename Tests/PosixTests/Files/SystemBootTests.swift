import Posix
import Testing

/// The identifier of the system's boot.
@Suite struct SystemBootTests {
    @Test func identifierIsTheKernelsUUID() {
        let groups = SystemBoot.identifier.split(separator: "-", omittingEmptySubsequences: false)
        #expect(groups.map(\.count) == [8, 4, 4, 4, 12])
        #expect(groups.joined().allSatisfy { $0.isHexDigit })
    }

    @Test func anotherOrUnknownBootIsNotCurrent() {
        #expect(SystemBoot.isCurrent(SystemBoot.identifier))
        #expect(!SystemBoot.isCurrent(""))
        #expect(!SystemBoot.isCurrent("00000000-0000-0000-0000-000000000000"))
        #expect(!SystemBoot.isCurrent(SystemBoot.identifier + "\n"))
    }
}
