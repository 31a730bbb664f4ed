@testable import FasciaLab
import Testing

@Suite struct LinkCommandTests {
    @Test(arguments: [
        ("delay 10ms", .delay(10_000_000, jitter: nil, toward: nil)),
        ("delay 10ms jitter 2ms toward car", .delay(10_000_000, jitter: 2_000_000, toward: .car)),
        ("rtt 10ms", .delay(5_000_000, jitter: nil, toward: nil)),
        ("loss 2", .loss(0.02, toward: nil)),
        ("loss 2.5% toward phone", .loss(0.025, toward: .phone)),
        ("rate 10mbit", .rate(10_000_000, queue: nil, toward: nil)),
        ("rate off queue 1000 toward car", .rate(nil, queue: 1_000, toward: .car)),
        ("reorder on", .reorder(true, toward: nil)),
        ("cut", .cut(nil)),
        ("cut 300ms", .cut(300_000_000)),
        ("restore", .restore),
        ("carrier phone off", .carrier(.phone, on: false)),
        ("gaps 200ms..460ms every 1s..3s seed 7",
         .gaps(GapPattern(length: 200_000_000...460_000_000, interval: 1_000_000_000...3_000_000_000, seed: 7))),
        ("gaps 1s every 2s", .gaps(GapPattern(length: 1_000_000_000...1_000_000_000, interval: 2_000_000_000...2_000_000_000, seed: 1))),
        ("gaps off", .gaps(nil)),
        ("stats reset", .stats(reset: true)),
        ("seed 18446744073709551615", .seed(.max)),
        ("  enter   car ", .enter(.car)),
    ] as [(String, LinkCommand)])
    func understood(line: String, command: LinkCommand) throws { #expect(try LinkCommand(line: line) == command) }

    @Test(arguments: [
        "", "nonsense", "delay", "delay ten", "delay 10ms jitter", "delay 10ms toward", "delay 10ms toward bus", "delay 10ms 20ms", "loss 101", "loss -1", "loss nan",
        "rate", "rate 0bit", "rate 5", "rate 1mbit queue 0", "cut soon", "cut 1s 2s", "carrier car", "carrier on car", "gaps 5ms..1ms every 1s", "gaps 1ms",
        "gaps 1ms every 0s", "gaps 1ms every 1s seed x", "seed -1", "enter", "quit now",
    ])
    func refused(line: String) { #expect(throws: LinkCommand.Wrong.self) { try LinkCommand(line: line) } }
}
