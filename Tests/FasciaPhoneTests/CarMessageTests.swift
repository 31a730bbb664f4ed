import FasciaWire
import Testing

@testable import FasciaPhone

@Suite struct CarMessageTests {
    private func decode(_ channel: ChannelID, _ type: UInt16, _ body: [UInt8]) throws -> CarMessage? {
        try CarMessage(channel: channel, type: type, body: body, display: .mainDisplay)
    }

    @Test func everyMessageForTheScreenIsDecoded() throws {
        let touch = TouchEvent.with { ($0.x, $0.y, $0.sequence) = (10, 20, 7) }
        let knob = KnobEvent.with { ($0.action, $0.detents, $0.sequence) = (.rotate, -2, 8) }
        let key = KeyEvent.with { ($0.key, $0.pressed, $0.sequence) = (.back, true, 9) }
        let pad = TouchpadEvent.with { ($0.phase, $0.dx, $0.sequence) = (.moved, 0.5, 10) }
        let state = VehicleState.with { $0.night = true }
        let shown = Presented.with { $0.sequence = 3 }
        #expect(try decode(.input, MessageType.touch, touch.serializedBytes()) == .touch(touch))
        #expect(try decode(.input, MessageType.knob, knob.serializedBytes()) == .knob(knob))
        #expect(try decode(.input, MessageType.key, key.serializedBytes()) == .key(key))
        #expect(try decode(.input, MessageType.touchpad, pad.serializedBytes()) == .touchpad(pad))
        #expect(try decode(.vehicle, MessageType.vehicleState, state.serializedBytes()) == .vehicle(state))
        #expect(try decode(.mainDisplay, MessageType.presented, shown.serializedBytes()) == .presented(shown))
        #expect(try decode(.input, MessageType.key, key.serializedBytes())?.inputSequence == 9)
        #expect(CarMessage.presented(shown).inputSequence == nil)
    }

    @Test func whatIsForSomebodyElseIsLeft() throws {
        #expect(try decode(.semantics, MessageType.touch, []) == nil)
        #expect(try decode(ChannelID(17), MessageType.presented, []) == nil)
        #expect(try decode(.input, 0x01FF, [1, 2, 3]) == nil)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity])
    func numbersThatAreNoneAreRefused(value: Float) throws {
        let touch = TouchEvent.with { $0.y = value }
        let pad = TouchpadEvent.with { $0.dx = value }
        #expect(throws: CarMessage.BadField.self) { try decode(.input, MessageType.touch, touch.serializedBytes()) }
        #expect(throws: CarMessage.BadField.self) { try decode(.input, MessageType.touchpad, pad.serializedBytes()) }
    }

    @Test func bytesThatDoNotDecodeAreRefused() {
        #expect(throws: (any Error).self) { try decode(.input, MessageType.touch, [0xFF]) }
        #expect(throws: (any Error).self) { try decode(.vehicle, MessageType.vehicleState, [0x0A, 0x7F]) }
    }
}
