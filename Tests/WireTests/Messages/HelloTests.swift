import Testing
import Wire

struct HelloTests {
  @Test(
    arguments: [
      ("tcp://0.0.0.0:5556", "tcp://server:5555", "tcp://server:5556"),
      ("tcp://0.0.0.0:5556", "tcp://localhost:7000", "tcp://localhost:5556"),
      ("tcp://[::]:5556", "tcp://[::1]:5555", "tcp://[::1]:5556"),
      ("tcp://*:5556", "tcp://10.0.0.2:0;10.0.0.9:5555", "tcp://10.0.0.9:5556"),
    ])
  func wildcardHostOfTheEventsIsTheHostThatTheAskerUsed(events: String, requests: String, expected: String) {
    #expect(reply(events).eventsEndpoint(reachedThrough: requests) == expected)
  }

  @Test(
    arguments: [
      ("tcp://127.0.0.1:5556", "tcp://server:5555"), ("tcp://events:5556", "tcp://server:5555"),
      ("ipc:///run/events", "tcp://server:5555"), ("tcp://0.0.0.0:5556", "ipc:///run/requests"),
      ("tcp://0.0.0.0:5556", "tcp://;"), ("tcp://", "tcp://server:5555"), ("", ""),
    ])
  func anyOtherEndpointIsTakenAsItIs(events: String, requests: String) {
    #expect(reply(events).eventsEndpoint(reachedThrough: requests) == events)
  }

  private func reply(_ events: String) -> Hello.Reply {
    Hello.Reply(node: "server", incarnation: 1, heartbeatMilliseconds: 1_000, eventsEndpoint: events, devices: 0)
  }
}
