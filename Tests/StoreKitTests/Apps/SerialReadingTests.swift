import DeviceApp
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct SerialReadingTests {
  private final class Log {
    var running = 0
    var mostRunning = 0
    var readings = 0
  }

  @Test func readingsNeverOverlapAndCallsShareThem() async {
    let serial = SerialReading()
    let log = Log()
    let calls = (0..<50).map { _ in
      Task {
        let before = log.readings
        await serial.run {
          log.running += 1
          log.mostRunning = max(log.mostRunning, log.running)
          await Task.yield()
          log.running -= 1
          log.readings += 1
        }
        return log.readings > before
      }
    }
    for call in calls { #expect(await call.value) }
    #expect(log.mostRunning == 1)
    #expect(log.readings < 50)
  }
}
