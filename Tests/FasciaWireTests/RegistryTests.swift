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
        #expect(ChannelKind(.audioIn) == .audioIn)
        #expect(ChannelKind(.ownership) == .ownership)
        #expect((31...49).map { ChannelKind(ChannelID($0)) == .audioOut } == [false] + Array(repeating: true, count: 6) + Array(repeating: false, count: 12))
        #expect(ChannelID.audioOut(0) == 32 && ChannelID.audioOut(5) == 37)
        #expect(ChannelID.audioOut(6) == nil && ChannelID.audioOut(-1) == nil)
        #expect(ChannelID(37).audioRoute == 5 && ChannelID(48).audioRoute == nil)
        #expect(ChannelID.display(0) == .mainDisplay)
        #expect(ChannelID.display(15) == 31)
        #expect(ChannelID.display(16) == nil)
        #expect(ChannelID.display(-1) == nil)
        #expect(ChannelKind.allCases.sorted { $0.priority < $1.priority }.first == .control)
    }

    @Test func whoMaySendSound() {
        func rule(_ type: UInt16) -> MessageRule? { MessageRule.of(type) }
        #expect(rule(MessageType.audioPacket)?.allows(.audioOut, from: .phone) == true)
        #expect(rule(MessageType.audioPacket)?.allows(.audioOut, from: .headUnit) == false)
        #expect(rule(MessageType.audioPacket)?.allows(.audioIn, from: .headUnit) == true)
        #expect(rule(MessageType.audioPacket)?.allows(.audioIn, from: .phone) == false)
        #expect(rule(MessageType.streamStop)?.allows(.audioOut, from: .headUnit) == false)
        #expect(rule(MessageType.streamStop)?.allows(.audioIn, from: .headUnit) == true)
    }

    @Test func closeCodesAreNamedOnce() {
        #expect(Set(CloseCode.names.values).count == CloseCode.names.count)
        #expect(CloseCode(rawValue: 99).description == "code 99")
        #expect(CloseCode.goodbye.description == "GOODBYE")
    }
}
