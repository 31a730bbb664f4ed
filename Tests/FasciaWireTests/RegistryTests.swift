import FasciaWire
import Testing

struct RegistryTests {
    @Test func everyMessageHasARuleAndAName() {
        #expect(Set(MessageType.all).count == MessageType.all.count)
        for type in MessageType.all {
            #expect(MessageRule.of(type) != nil)
            #expect(MessageType.name(type) != nil)
        }
        let known = (UInt16.min...UInt16.max).filter { MessageRule.of($0) != nil }
        #expect(Set(known) == Set(MessageType.all))
    }

    @Test func greaseIsNeverDefined() {
        #expect(MessageType.all.allSatisfy { $0 & 0x0F0F != 0x0A0A })
        #expect((UInt16.min...UInt16.max).allSatisfy { $0 & 0x0F0F != 0x0A0A || ChannelKind(ChannelID($0)) == nil })
    }

    @Test func channels() {
        #expect(ChannelKind(.control) == .control)
        #expect(ChannelKind(.metadata) == nil)
        #expect(ChannelKind(.audioIn) == nil)
        #expect(ChannelKind(32) == nil)
        #expect(ChannelID.display(0) == .mainDisplay)
        #expect(ChannelID.display(15) == 31)
        #expect(ChannelID.display(16) == nil)
        #expect(ChannelID.display(-1) == nil)
        #expect(ChannelKind.allCases.sorted { $0.priority < $1.priority }.first == .control)
    }

    @Test func closeCodesAreNamedOnce() {
        #expect(Set(CloseCode.names.values).count == CloseCode.names.count)
        #expect(CloseCode(rawValue: 99).description == "code 99")
        #expect(CloseCode.goodbye.description == "GOODBYE")
    }
}
