import FasciaLink
import FasciaSession
import Testing

@Suite struct SceneLifecycleTests {
    typealias State = SceneLifecycle.State
    typealias Step = SceneLifecycle.Step
    private static let app = "io.example.music"

    /// Every input there is, for one app whose scene is 1.
    enum Input: CaseIterable {
        case opened, started, startedWithoutCar, didConnect, didConnectOther, carGone, didDisconnect, didDisconnectOther, ended

        func apply(to scenes: inout SceneLifecycle) -> [Step] {
            switch self {
            case .opened: scenes.opened(app)
            case .started: scenes.started(app, carPresent: true)
            case .startedWithoutCar: scenes.started(app, carPresent: false)
            case .didConnect: scenes.didConnect(app, scene: 1)
            case .didConnectOther: scenes.didConnect(app, scene: 9)
            case .carGone: scenes.carGone(app)
            case .didDisconnect: scenes.didDisconnect(app, scene: 1)
            case .didDisconnectOther: scenes.didDisconnect(app, scene: 9)
            case .ended: scenes.ended(app)
            }
        }
    }

    /// Brings an app there by the shortest way.
    static let ways: [(State, [Input])] = [
        (.absent, []),
        (.starting, [.opened]),
        (.idle, [.opened, .startedWithoutCar]),
        (.connecting(scene: 1), [.opened, .started]),
        (.connected(scene: 1), [.opened, .started, .didConnect]),
        (.disconnecting(scene: 1, announced: false, reopen: false), [.opened, .started, .carGone]),
        (.disconnecting(scene: 1, announced: true, reopen: false), [.opened, .started, .didConnect, .carGone]),
        (.disconnecting(scene: 1, announced: true, reopen: true), [.opened, .started, .didConnect, .carGone, .opened]),
        (.disconnecting(scene: 1, announced: false, reopen: true), [.opened, .started, .carGone, .opened]),
    ]

    /// State, input, what is to be done, state after. What is not listed changes nothing and asks for nothing.
    static let table: [(State, Input, [Step], State)] = [
        (.absent, .opened, [.startProcess], .starting),
        (.starting, .started, [.connect(scene: 1)], .connecting(scene: 1)),
        (.starting, .startedWithoutCar, [], .idle),
        (.starting, .ended, [], .absent),
        (.idle, .opened, [.connect(scene: 1)], .connecting(scene: 1)),
        (.idle, .ended, [], .absent),
        (.connecting(scene: 1), .didConnect, [.announceConnected(scene: 1), .show(scene: 1)], .connected(scene: 1)),
        (.connecting(scene: 1), .carGone, [.disconnect(scene: 1)], .disconnecting(scene: 1, announced: false, reopen: false)),
        (.connecting(scene: 1), .ended, [], .absent),
        (.connected(scene: 1), .carGone, [.disconnect(scene: 1)], .disconnecting(scene: 1, announced: true, reopen: false)),
        (.connected(scene: 1), .ended, [.announceDisconnected(scene: 1)], .absent),
        (.disconnecting(scene: 1, announced: false, reopen: false), .opened, [], .disconnecting(scene: 1, announced: false, reopen: true)),
        (.disconnecting(scene: 1, announced: false, reopen: false), .didConnect, [.announceConnected(scene: 1)], .disconnecting(scene: 1, announced: true, reopen: false)),
        (.disconnecting(scene: 1, announced: false, reopen: false), .didDisconnect, [], .idle),
        (.disconnecting(scene: 1, announced: false, reopen: false), .ended, [], .absent),
        (.disconnecting(scene: 1, announced: true, reopen: false), .opened, [], .disconnecting(scene: 1, announced: true, reopen: true)),
        (.disconnecting(scene: 1, announced: true, reopen: false), .didDisconnect, [.announceDisconnected(scene: 1)], .idle),
        (.disconnecting(scene: 1, announced: true, reopen: false), .ended, [.announceDisconnected(scene: 1)], .absent),
        (.disconnecting(scene: 1, announced: true, reopen: true), .carGone, [], .disconnecting(scene: 1, announced: true, reopen: false)),
        (.disconnecting(scene: 1, announced: true, reopen: true), .didDisconnect, [.announceDisconnected(scene: 1), .connect(scene: 2)], .connecting(scene: 2)),
        (.disconnecting(scene: 1, announced: true, reopen: true), .ended, [.announceDisconnected(scene: 1), .startProcess], .starting),
        (.disconnecting(scene: 1, announced: false, reopen: true), .didConnect, [.announceConnected(scene: 1)], .disconnecting(scene: 1, announced: true, reopen: true)),
        (.disconnecting(scene: 1, announced: false, reopen: true), .carGone, [], .disconnecting(scene: 1, announced: false, reopen: false)),
        (.disconnecting(scene: 1, announced: false, reopen: true), .didDisconnect, [.connect(scene: 2)], .connecting(scene: 2)),
        (.disconnecting(scene: 1, announced: false, reopen: true), .ended, [.startProcess], .starting),
    ]

    @Test func everyInputInEveryState() {
        for (state, way) in Self.ways {
            for input in Input.allCases {
                var scenes = SceneLifecycle()
                for step in way { _ = step.apply(to: &scenes) }
                #expect(scenes[Self.app] == state)
                let steps = input.apply(to: &scenes)
                let row = Self.table.first { $0.0 == state && $0.1 == input }
                #expect(steps == row?.2 ?? [], "\(state) \(input)")
                #expect(scenes[Self.app] == row?.3 ?? state, "\(state) \(input)")
            }
        }
    }

    /// The car goes while didConnect runs, and a new one is there before didDisconnect has returned: the app is away, and choosing it
    /// leads to a scene.
    @Test func aSceneWhoseCarHasGoneIsNotShown() {
        var scenes = SceneLifecycle()
        let steps: [[Step]] = [
            scenes.opened(Self.app), scenes.started(Self.app, carPresent: true), scenes.carGone(Self.app),
            scenes.didConnect(Self.app, scene: 1), scenes.didDisconnect(Self.app, scene: 1),
            scenes.opened(Self.app), scenes.didConnect(Self.app, scene: 2),
        ]
        #expect(steps == [
            [.startProcess], [.connect(scene: 1)], [.disconnect(scene: 1)],
            [.announceConnected(scene: 1)], [.announceDisconnected(scene: 1)],
            [.connect(scene: 2)], [.announceConnected(scene: 2), .show(scene: 2)],
        ])
    }

    /// Whatever comes in whatever order: connects and disconnects are announced in turns, the same scene both times, and a scene
    /// is asked to disconnect at most once and only after it was asked to connect.
    @Test func randomInputsKeepTheScenesInOrder() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            var scenes = SceneLifecycle()
            var open: UInt64?, asked: UInt64 = 0, disconnected: UInt64 = 0
            for _ in 0..<40 {
                let scene = UInt64.random(in: 1...4, using: &generator)
                let steps: [Step] =
                    switch UInt64.random(in: 0..<7, using: &generator) {
                    case 0: scenes.opened(Self.app)
                    case 1: scenes.started(Self.app, carPresent: true)
                    case 2: scenes.didConnect(Self.app, scene: scene)
                    case 3: scenes.carGone(Self.app)
                    case 4: scenes.didDisconnect(Self.app, scene: scene)
                    case 5: scenes.ended(Self.app)
                    default: scenes.started(Self.app, carPresent: false)
                    }
                for step in steps {
                    switch step {
                    case .startProcess: break
                    case .show(let scene): #expect(scenes[Self.app] == .connected(scene: scene))
                    case .connect(let scene):
                        #expect(scene == asked + 1)
                        asked = scene
                    case .disconnect(let scene):
                        #expect(scene == asked && scene > disconnected)
                        disconnected = scene
                    case .announceConnected(let scene):
                        #expect(open == nil)
                        open = scene
                    case .announceDisconnected(let scene):
                        #expect(open == scene)
                        open = nil
                    }
                }
            }
        }
    }
}
