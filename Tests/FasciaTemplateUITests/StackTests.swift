import FasciaAppLink
import Testing
@testable import FasciaTemplateUI

@Suite struct TemplateStackTests {
    typealias Kind = AppTemplate.OneOf_Kind
    let kinds: [UInt64: Kind] = [1: .list(.init()), 2: .list(.init()), 3: .grid(.init()), 4: .nowPlaying(.init()), 5: .alert(.init()), 6: .actionSheet(.init()),
                                 7: .tabBar(.with { $0.templates = [1, 2] }), 8: .information(.init())]

    func apply(_ stack: inout TemplateStack, _ kind: AppStackOperation.Kind, _ template: UInt64 = 0) -> Result<StackChange, StackError> {
        Result { () throws(StackError) in try stack.apply(.with { $0.kind = kind; $0.template = template }) { kinds[$0] } }
    }

    func refuses(_ stack: inout TemplateStack, _ kind: AppStackOperation.Kind, _ template: UInt64 = 0) -> Bool {
        let before = stack
        if case .failure = apply(&stack, kind, template) { return stack == before }
        return false
    }

    @Test func pushAndPop() {
        var stack = TemplateStack()
        #expect(apply(&stack, .setRoot, 1) == .success(.replaced))
        #expect(apply(&stack, .push, 2) == .success(.pushed))
        #expect(apply(&stack, .push, 3) == .success(.pushed))
        #expect(stack.path == [1, 2, 3])
        #expect(apply(&stack, .pop, 3) == .success(.popped))
        #expect(apply(&stack, .push, 3) == .success(.pushed))
        #expect(apply(&stack, .popTo, 1) == .success(.popped))
        #expect(stack.path == [1])
        #expect(apply(&stack, .popToRoot) == .success(.nothing))
    }

    @Test func rulesOfTheInterfaceController() {
        var stack = TemplateStack()
        #expect(refuses(&stack, .push, 1)) // no root yet
        #expect(refuses(&stack, .setRoot, 5)) // modal root
        #expect(refuses(&stack, .setRoot, 99)) // unknown
        _ = apply(&stack, .setRoot, 1)
        #expect(refuses(&stack, .push, 5)) // modals are presented
        #expect(refuses(&stack, .push, 7)) // tab bars are roots
        #expect(refuses(&stack, .push, 1)) // twice the same
        #expect(refuses(&stack, .present, 2)) // lists are pushed
        #expect(refuses(&stack, .pop)) // the root stays
        #expect(refuses(&stack, .dismiss))
        #expect(refuses(&stack, .popTo, 3))
        #expect(refuses(&stack, .unspecified))
        _ = apply(&stack, .push, 4)
        #expect(refuses(&stack, .push, 3)) // only lists over Now Playing
        #expect(apply(&stack, .push, 2) == .success(.pushed))
        #expect(refuses(&stack, .pop, 4)) // another one is on top
        #expect(apply(&stack, .present, 5) == .success(.presented))
        #expect(refuses(&stack, .present, 6)) // one at a time
        #expect(refuses(&stack, .dismiss, 6))
        #expect(apply(&stack, .dismiss, 5) == .success(.dismissed))
    }

    @Test func tabsKeepTheirStacks() {
        var stack = TemplateStack()
        _ = apply(&stack, .setRoot, 7)
        #expect(stack.visible == [7, 1])
        _ = apply(&stack, .push, 3)
        #expect(stack.visible == [3])
        let two = stack.select(tab: 2)
        #expect(two && stack.path == [2])
        _ = apply(&stack, .push, 8)
        let one = stack.select(tab: 1), three = stack.select(tab: 3)
        #expect(one && !three && stack.path == [1, 3])
        stack.tabsChanged(to: [2])
        #expect(stack.selectedTab == 2 && stack.path == [2, 8])
    }

    @Test func lifecycleIsCalledOnceAndInOrder() {
        var lifecycle = LifecycleReporter()
        func text(_ calls: [AppTemplateLifecycle]) -> String { calls.map { "\($0.phase)\($0.template)" }.joined(separator: " ") }
        #expect(text(lifecycle.change(to: [7, 1], animated: false)) == "willAppear7 willAppear1")
        #expect(text(lifecycle.settle()) == "didAppear7 didAppear1")
        #expect(text(lifecycle.change(to: [2], animated: true)) == "willDisappear1 willDisappear7 willAppear2")
        // A change before the animation ended finishes it first.
        #expect(text(lifecycle.change(to: [7, 1], animated: true)) == "didDisappear1 didDisappear7 didAppear2 willDisappear2 willAppear7 willAppear1")
        #expect(text(lifecycle.settle()) == "didDisappear2 didAppear7 didAppear1")
        #expect(text(lifecycle.settle()) == "")
    }
}
