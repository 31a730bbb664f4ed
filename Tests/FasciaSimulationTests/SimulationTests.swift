import FasciaSimulation
import Testing

/// Phone, car and apps in virtual time: the short form of `fascia chaos --simulated`.
struct SimulationTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func nothingGoesWrongWhateverBreaks(seed: UInt64) {
        let campaign = SimulationCampaign(seed: seed)
        var total = SimulationCampaign.Result()
        for world in 0..<25 { total.add(campaign.run(world: world)) }
        #expect(total.violations.map(\.text) == [])
        #expect(total.cycles == 500)
        // Something happened at all.
        #expect(total.counts.sessions > 100 && total.counts.resumes > 50)
        #expect(total.counts.sceneConnects > 100 && total.counts.sceneDisconnects > 100)
        #expect(Set(total.byFault.keys) == Set(SimulatedFault.allCases))
    }

    @Test func theSameSeedDoesTheSame() {
        let one = SimulationCampaign(seed: 9).run(world: 3), other = SimulationCampaign(seed: 9).run(world: 3)
        #expect(one.counts == other.counts)
        #expect(one.time == other.time)
        #expect(one.counts != SimulationCampaign(seed: 10).run(world: 3).counts)
    }

    /// The gaps seen in the field on car Wi-Fi.
    @Test func anHourOfGapsDisconnectsNoScene() {
        let world = SimulationCampaign.gaps(200...460, every: 500...5_000, lossPermille: 0, seconds: 3_600, seed: 5)
        #expect(world.violations == [])
        #expect(world.isTogether)
        #expect(world.counts.sessions == 1)
        #expect(world.counts.sessionEnds == 0)
        #expect(world.counts.sceneConnects == 1)
        #expect(world.counts.sceneDisconnects == 0)
        // The link was in doubt many times, and each time it or its successor carried on.
        #expect(world.counts.suspicions + world.counts.races > 100)
    }

    @Test func anHourOfLossAndGapsDisconnectsNoScene() {
        let world = SimulationCampaign.gaps(200...460, every: 2_000...20_000, lossPermille: 20, seconds: 3_600, seed: 6)
        #expect(world.violations == [])
        #expect(world.counts.sessions == 1)
        #expect(world.counts.sessionEnds == 0)
        #expect(world.counts.sceneDisconnects == 0)
    }

    /// The checks can fail: each of these mistakes is found.
    @Test(arguments: [
        SimulatedWorld.Sabotage.doubleDisconnect, .missedDisconnect, .lateCallback, .deadlineIgnored, .tokenTakenTwice,
    ])
    func mistakesAreFound(sabotage: SimulatedWorld.Sabotage) {
        let campaign = SimulationCampaign(seed: 1, sabotage: sabotage)
        #expect((0..<40).contains { !campaign.run(world: $0).violations.isEmpty })
    }
}
