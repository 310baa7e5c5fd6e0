// libmicrohttpd, and what Swift cannot say itself: its variadic functions.

#include <stdbool.h>
#include <microhttpd.h>

/// What a daemon needs to start. Times are whole seconds; without a key and a certificate there is no TLS.
struct cmicrohttpd_options {
  MHD_AccessHandlerCallback access;
  void *(*target)(void *cls, const char *uri, struct MHD_Connection *connection);
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  size_t (*unescape)(void *cls, struct MHD_Connection *connection, char *text);
  size_t connection_memory;
  unsigned int connection_limit;
  unsigned int stall_timeout;
  const char *key;
  const char *certificate;
};

/// Starts a daemon without a thread and without a listening socket; `cls` goes to each callback.
static inline struct MHD_Daemon *cmicrohttpd_start(const struct cmicrohttpd_options *options, void *cls) {
  // With nothing to say, the second of these ends the list before the certificate.
  const bool tls = options->key && options->certificate;
  const unsigned int flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC | MHD_USE_TURBO |
                             MHD_ALLOW_SUSPEND_RESUME | (tls ? MHD_USE_TLS : 0);
  return MHD_start_daemon(
      flags, 0, NULL, NULL, options->access, cls,
      MHD_OPTION_URI_LOG_CALLBACK, options->target, cls,
      MHD_OPTION_NOTIFY_COMPLETED, options->completed, cls,
      MHD_OPTION_NOTIFY_CONNECTION, options->connection, cls,
      MHD_OPTION_UNESCAPE_CALLBACK, options->unescape, cls,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_memory,
      MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, options->stall_timeout,
      MHD_OPTION_STRICT_FOR_CLIENT, (int)1,
      tls ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, options->key,
      MHD_OPTION_HTTPS_MEM_CERT, options->certificate,
      MHD_OPTION_END);
}

/// Whether the library was built with TLS.
static inline bool cmicrohttpd_has_tls(void) { return MHD_is_feature_supported(MHD_FEATURE_TLS) == MHD_YES; }

/// The descriptor that becomes readable when `MHD_run` has something to do, -1 if there is none.
static inline int cmicrohttpd_epoll_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

/// The connection's socket, -1 if it is not known.
static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// What the connection callback has set as the socket's context.
static inline void *cmicrohttpd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/// The bytes of request line and headers together.
static inline size_t cmicrohttpd_header_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

/// Starts a daemon with threads of its own on a loopback port that the system picks, to measure what is possible.
static inline struct MHD_Daemon *cmicrohttpd_start_bare(
    unsigned int threads, MHD_AccessHandlerCallback access, void *cls) {
  const unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_TURBO;
  return threads > 1
             ? MHD_start_daemon(flags, 0, NULL, NULL, access, cls, MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_END)
             : MHD_start_daemon(flags, 0, NULL, NULL, access, cls, MHD_OPTION_END);
}

/// The port of a daemon with a listening socket, 0 if it has none.
static inline uint16_t cmicrohttpd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}
