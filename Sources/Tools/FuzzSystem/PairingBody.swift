import FasciaPairing
import FasciaWire
import FuzzCore
import SwiftProtobuf

/// Input: steps of 2 bytes and what they need. Two ends talk; the fuzzer stands between and may change, drop, repeat and make up what
/// they say, or give them different codes. The phone confirms, and an end finishes, only if every share, salt and confirmation so far
/// arrived as its sender sent it.
@Sendable func checkPairing(_ input: [UInt8]) -> String? {
    guard var code = PairingCode("123456"), var otherCode = PairingCode("123457") else { return "a code is none" }
    code.cost = 2
    otherCode.cost = 2
    var input = FuzzInput(input)
    let binding = PairingBinding(phone: [1], headUnit: [2], exporter: [3])
    var phone = PairingExchange(.phone, code: code, name: "phone", binding: binding)
    var headUnit = PairingExchange(.headUnit, code: code, name: "car", binding: binding)
    var toHeadUnit: [PairingExchange.Message] = [], toPhone: [PairingExchange.Message] = []
    var sent: [UInt16: Protected] = [:], received: [UInt16: Protected] = [:]
    var hasStarted = false, isSameCode = true
    var steps = 0
    while !input.isEmpty, steps < 16 {
        steps += 1
        let step = input.byte(), choice = input.byte()
        let isForPhone = choice & 1 == 0
        var arrived: (type: UInt16, body: [UInt8])?
        switch step % 8 {
        case 0:
            if step == 0xF8, !hasStarted {
                isSameCode = false
                phone = PairingExchange(.phone, code: otherCode, name: "phone", binding: binding)
            }
            hasStarted = true
        case 1...4:
            // The next message in order, perhaps changed.
            guard let message = isForPhone ? toPhone.first : toHeadUnit.first else { continue }
            if isForPhone { toPhone.removeFirst() } else { toHeadUnit.removeFirst() }
            var body = message.body
            if choice & 6 == 6, !body.isEmpty { body[Int(input.word()) % body.count] ^= input.byte() }
            arrived = (message.type, body)
        default:
            let types = [MessageType.pairStart, MessageType.pairReply, MessageType.pairConfirm, MessageType.pairDone]
            arrived = (types[Int(choice >> 1 & 3)], input.take(Int(input.byte())))
        }
        let isPhone = arrived == nil || isForPhone
        let outcome = arrived.map { isPhone ? phone.receive($0.type, $0.body) : headUnit.receive($0.type, $0.body) } ?? phone.start()
        // What reaches the end that sends such messages itself confirms nothing.
        if let arrived, received[arrived.type] == nil, isPhone == [MessageType.pairReply, MessageType.pairDone].contains(arrived.type) { received[arrived.type] = Protected(arrived.type, arrived.body) }
        var confirmed: [UInt16] = []
        switch outcome {
        case .send(let message):
            sent[message.type] = Protected(message.type, message.body)
            if isPhone { toHeadUnit.append(message) } else { toPhone.append(message) }
            if message.type == MessageType.pairConfirm { confirmed = [MessageType.pairStart, MessageType.pairReply] }
        case .finished(let name, let last):
            if name.utf8.count > PairingExchange.maximumNameLength { return "a name of \(name.utf8.count) bytes" }
            if let last { toPhone.append(last) }
            confirmed = [MessageType.pairStart, MessageType.pairReply] + (isPhone ? [] : [MessageType.pairConfirm])
        case .failed: break
        }
        if !confirmed.isEmpty, !isSameCode { return "ends with different codes agree" }
        if let changed = confirmed.first(where: { sent[$0] == nil || sent[$0] != received[$0] }) { return "they agree although \(MessageType.name(changed) ?? "") was changed" }
    }
    return nil
}

/// What of a pairing message nobody may change. Names are not protected.
private struct Protected: Equatable {
    private let parts: [[UInt8]]

    init?(_ type: UInt16, _ body: [UInt8]) {
        switch type {
        case MessageType.pairStart:
            guard let start = try? PairStart(serializedBytes: body) else { return nil }
            parts = [Array(start.share), Array(start.salt)]
        case MessageType.pairReply:
            guard let reply = try? PairReply(serializedBytes: body) else { return nil }
            parts = [Array(reply.share), Array(reply.confirmation)]
        case MessageType.pairConfirm:
            guard let confirm = try? PairConfirm(serializedBytes: body) else { return nil }
            parts = [Array(confirm.confirmation)]
        default: return nil
        }
    }
}
