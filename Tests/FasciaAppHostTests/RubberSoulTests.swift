import FasciaAppHost
import FasciaAppLink
import Foundation
import Testing

/// The sample app, for real: its own process, driven as the phone does.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct RubberSoulTests {
    private static let bundle: Result<AppBundle, AppBundleError> = {
        let products = Bundle.main.executableURL?.deletingLastPathComponent() ?? URL(fileURLWithPath: ".")
        return Result { () throws(AppBundleError) in try AppBundle.load(executable: products.appendingPathComponent("RubberSoul").path) }
    }()

    private func connected() async throws -> (HostRun, [AppFromApp.OneOf_Message]) {
        let run = HostRun(try Self.bundle.get())
        run.host.launch(run.id)
        #expect(await run.waitForReady())
        run.host.send(run.id, .with { message in
            message.sceneConnect = .with { connect in
                connect.scene = 7
                connect.traits = .with { $0.width = 400; $0.height = 240; $0.scale = 2; $0.maximumListItems = 24; $0.maximumListSections = 24 }
            }
        })
        var messages: [AppFromApp.OneOf_Message] = []
        let reply: AppSceneReply? = await run.waitForMessage { message in
            messages.append(message)
            if case .sceneReply(let reply) = message { return reply }
            return nil
        }
        #expect(reply?.scene == 7)
        #expect(reply?.kind == .connected)
        return (run, messages)
    }

    @Test func bundleIsRead() throws {
        let bundle = try Self.bundle.get()
        #expect(bundle.name == "Rubber Soul")
        #expect(bundle.category == .audio)
        #expect(bundle.scenes.carPlay()?.delegateClass == "RubberSoul.CarPlaySceneDelegate")
        #expect(bundle.icon()?.starts(with: [0x89, 0x50]) == true)
    }

    @Test func sceneSetsItsRootAndSaysGoodbye() async throws {
        let (run, messages) = try await connected()
        var images: Set<UInt64> = []
        var templates: [UInt64: AppTemplate] = [:]
        var root: UInt64?
        for message in messages {
            switch message {
            case .image(let image): images.insert(image.id)
            case .upsertTemplate(let template):
                // An image is sent before whatever names it.
                for item in template.list.sections.flatMap(\.items) where item.image != 0 { #expect(images.contains(item.image)) }
                templates[template.id] = template
            case .stackOperation(let operation):
                #expect(operation.kind == .setRoot)
                root = operation.template
            default: break
            }
        }
        let tabBar = try #require(root.flatMap { templates[$0] }?.tabBar)
        #expect(tabBar.templates.compactMap { templates[$0]?.tabTitle } == ["Library", "Browse"])
        let library = try #require(templates[tabBar.templates[0]]?.list)
        #expect(library.sections[0].items[0].imageRow.elements.count >= 6)
        #expect(library.sections[1].items.contains { $0.text == "Тихая река" })
        #expect(library.sections[1].items.contains { $0.text == "夜の高速道路" })

        run.host.send(run.id, .with { $0.sceneDisconnect = .with { $0.scene = 7; $0.reason = "test" } })
        let kind: AppSceneReply.Kind? = await run.waitForMessage { message in
            if case .sceneReply(let reply) = message { return reply.kind }
            return nil
        }
        #expect(kind == .disconnected)
        run.host.terminate(run.id, reason: "test over")
        #expect(await run.waitForExit()?.isOrderly == true)
    }

    /// [AT-1], [ST-1]: what the app is given is not for its children.
    @Test func socketsAreClosedOnExec() async throws {
        let (run, _) = try await connected()
        let folder = "/proc/\(try #require(run.host.processID(run.id)))"
        let sockets = try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").compactMap(Int.init).filter { number in
            number > 2 && (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/fd/\(number)").hasPrefix("socket:")) == true
        }
        #expect(sockets.count >= 2)
        for number in sockets {
            let flags = try String(contentsOfFile: folder + "/fdinfo/\(number)", encoding: .utf8).split(separator: "\n").first { $0.hasPrefix("flags:") }
            let value = try #require(flags?.split(separator: "\t").last.flatMap { Int($0, radix: 8) })
            #expect(value & Int(O_CLOEXEC) != 0, "descriptor \(number)")
        }
        run.host.terminate(run.id, reason: "test over")
        #expect(await run.waitForExit()?.isOrderly == true)
    }

    /// A row whose song is in the cloud: the handler completes 1.5 s later, and only that row changes.
    @Test func slowHandlerCompletesLate() async throws {
        let (run, messages) = try await connected()
        let lists = messages.compactMap { message -> AppTemplate? in
            if case .upsertTemplate(let template) = message, case .list? = template.kind { return template }
            return nil
        }
        let library = try #require(lists.first { $0.tabTitle == "Library" })
        let row = try #require(library.list.sections[1].items.first { $0.accessory == .cloud })
        let start = ContinuousClock.now
        run.host.send(run.id, .with { message in
            message.elementActivated = .with { $0.template = library.id; $0.element = row.element; $0.selection = 42 }
        })
        var updated = false
        let completed: UInt64? = await run.waitForMessage { message in
            switch message {
            case .updateItem(let update) where update.item.element == row.element && update.item.accessory == .none: updated = true
            case .selectionCompleted(let completed): return completed.selection
            default: break
            }
            return nil
        }
        #expect(completed == 42)
        #expect(updated)
        #expect(ContinuousClock.now - start > .seconds(1.4))
        await run.host.shutdown()
    }

    @Test func appLeavesWhenThePhoneIsGone() async throws {
        let (run, _) = try await connected()
        run.host.terminate(run.id, reason: "phone is leaving")
        let exit = await run.waitForExit()
        #expect(exit?.status == .code(0))
    }

    @Test func startedByHandItSaysHowToStartIt() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try Self.bundle.get().executable)
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 64)
        #expect(text.contains("fascia-phone run --app"))
    }
}
