package import Foundation

/// How a socket behaves; set before it binds or connects, since libzmq reads most of it only then.
package struct ZMQSocketOptions: Sendable {
  /// Messages that may wait for each peer; 0 is unbounded. Beyond it a dealer would block, routers and publishers drop.
  package var sendHighWaterMark: Int
  /// Messages that may wait to be received from each peer; 0 is unbounded. Beyond it the peer has to wait or drop.
  package var receiveHighWaterMark: Int
  /// How long a closed socket goes on handing over what was sent. The end of the process is not held up longer.
  package var linger: Duration = .seconds(1)
  /// The name of this socket at the routers that it connects to, 1 to 255 bytes, the first not 0; nil: they pick one.
  package var routingID: Data?
  /// In bytes; a peer that sends a larger frame is dropped without a reply, which only a monitor sees. Nil: no limit.
  package var maxMessageSize: Int?
  /// An xpub reports each subscription, not only the first to a topic.
  package var xpubVerbose = false
  /// Sending to a peer that is not there is an error instead of a silent drop.
  package var routerMandatory = false
  package var heartbeat: Heartbeat?
  package var reconnect: Reconnect?
  /// How long an attempt to connect may take before it is given up and the next one looks the host up anew; nil: as long
  /// as the system tries, which is minutes when the address belongs to nobody any more.
  package var connectTimeout: Duration?
  /// How long a new connection may take to say who it is; nil: libzmq's 30 seconds.
  package var handshakeInterval: Duration?
  /// Messages queue only for connections that are up, not for those that are still being made.
  package var immediate = false
  /// Nil: as the system does.
  package var tcpKeepalive: TCPKeepalive?
  /// Connections that may wait to be accepted; nil: libzmq's 100.
  package var backlog: Int?

  /// There is no default for the high-water marks: each queue is bounded or unbounded on purpose.
  package init(sendHighWaterMark: Int, receiveHighWaterMark: Int) {
    self.sendHighWaterMark = sendHighWaterMark
    self.receiveHighWaterMark = receiveHighWaterMark
  }

  /// ZMTP pings, which find connections that died without a word.
  package struct Heartbeat: Sendable {
    package var interval: Duration
    /// A connection that is silent for so long after a ping is closed.
    package var timeout: Duration
    /// After so long without a ping the peer may close its side; up to 6,553 seconds, in tenths of a second.
    package var timeToLive: Duration

    package init(interval: Duration, timeout: Duration, timeToLive: Duration) {
      self.interval = interval
      self.timeout = timeout
      self.timeToLive = timeToLive
    }
  }

  package struct Reconnect: Sendable {
    package var interval: Duration
    /// The interval doubles with each failure up to this; zero: it stays as it is.
    package var maximum: Duration

    package init(interval: Duration, maximum: Duration = .zero) {
      self.interval = interval
      self.maximum = maximum
    }
  }

  package struct TCPKeepalive: Sendable {
    /// Whole seconds of silence until the first probe.
    package var idle: Duration
    /// Whole seconds between probes.
    package var interval: Duration
    package var probes: Int

    package init(idle: Duration, interval: Duration, probes: Int) {
      self.idle = idle
      self.interval = interval
      self.probes = probes
    }
  }
}
