// libmicrohttpd and the addresses of sockets, and what Swift cannot import of them: variadic functions, unions, casts.
#ifndef FIELDCORDER_CHTTP_SHIM_H
#define FIELDCORDER_CHTTP_SHIM_H

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

// How far the packets to an address go.
enum http_reach { http_reach_loopback, http_reach_link, http_reach_far };

// The socket address of a numeric address, such as 192.168.1.5, ::1 or fe80::1%eth0. Returns 0, or -1 if it is none.
static inline int http_read_address(const char *text, uint16_t port, struct sockaddr_storage *address) {
  char service[8];
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM}, *found = NULL;
  snprintf(service, sizeof service, "%u", (unsigned)port);
  if (getaddrinfo(text, service, &hints, &found) != 0) return -1;
  memset(address, 0, sizeof *address);
  memcpy(address, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return 0;
}

static inline enum http_reach http_reach_of(const struct sockaddr_storage *address) {
  if (address->ss_family == AF_INET) {
    uint32_t number = ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);
    if (number >> 24 == 127) return http_reach_loopback;
    return number >> 16 == 0xA9FE ? http_reach_link : http_reach_far;
  }
  const struct in6_addr *number = &((const struct sockaddr_in6 *)address)->sin6_addr;
  if (IN6_IS_ADDR_LOOPBACK(number)) return http_reach_loopback;
  return IN6_IS_ADDR_LINKLOCAL(number) ? http_reach_link : http_reach_far;
}

// What the server may use.
struct http_limits {
  unsigned connections, connections_per_address, waiting, memory, seconds;
};

// What it calls, each with `context`.
struct http_calls {
  void *context;
  MHD_AccessHandlerCallback request;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
};

// Starts a server without a thread of its own, over TLS when there is a certificate. NULL on failure, with errno.
static inline struct MHD_Daemon *http_start(
    const struct sockaddr_storage *address, struct http_limits limits, struct http_calls calls, const char *certificate,
    const char *key) {
  unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
  if (address->ss_family == AF_INET6) flags |= MHD_USE_DUAL_STACK;
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
      {MHD_OPTION_END, 0, NULL},
  };
  if (certificate) flags |= MHD_USE_TLS;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, calls.request, calls.context, MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)address,
      MHD_OPTION_LISTEN_BACKLOG_SIZE, limits.waiting, MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
      limits.connections_per_address, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)limits.memory,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.seconds, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_NOTIFY_COMPLETED, calls.completed, calls.context,
      MHD_OPTION_NOTIFY_CONNECTION, calls.connection, calls.context, MHD_OPTION_ARRAY, certificate ? tls : &tls[2],
      MHD_OPTION_END);
}

// The descriptor that becomes readable when the server has something to do.
static inline int http_events(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

// After how many milliseconds it has something to do anyway, at most `longest`.
static inline int http_timeout(struct MHD_Daemon *daemon, int longest) {
  MHD_UNSIGNED_LONG_LONG milliseconds;
  if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES) return longest;
  return milliseconds < (unsigned)longest ? (int)milliseconds : longest;
}

static inline int http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// What was stored for a connection when it began.
static inline void *http_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

// The client's address and port as text. getnameinfo would ask the system for the name of a link, which a process that has
// shut itself in may not.
static inline void http_client(struct MHD_Connection *connection, char *text, size_t byte_count) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  const struct sockaddr *address = info ? info->client_addr : NULL;
  char host[INET6_ADDRSTRLEN] = "?";
  if (address && address->sa_family == AF_INET6) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof host);
    snprintf(text, byte_count, "[%s]:%u", host, (unsigned)ntohs(six->sin6_port));
  } else if (address) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    inet_ntop(AF_INET, &four->sin_addr, host, sizeof host);
    snprintf(text, byte_count, "%s:%u", host, (unsigned)ntohs(four->sin_port));
  } else {
    snprintf(text, byte_count, "?");
  }
}

// How much the kernel keeps for a connection that does not take it; it doubles the number for its own use.
static inline void http_limit_unsent(int socket, int byte_count) {
  setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &byte_count, sizeof byte_count);
}

// Enumerations of the library, which Swift names differently with each of its versions.
static inline struct MHD_Response *http_fixed_answer(const void *bytes, size_t byte_count) {
  return MHD_create_response_from_buffer(byte_count, (void *)bytes, MHD_RESPMEM_PERSISTENT);
}

static inline struct MHD_Response *http_copied_answer(const void *bytes, size_t byte_count) {
  return MHD_create_response_from_buffer(byte_count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static inline const char *http_argument(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

static inline const char *http_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static inline int http_has_begun(enum MHD_ConnectionNotificationCode change) {
  return change == MHD_CONNECTION_NOTIFY_STARTED;
}

static inline enum MHD_Result http_no(void) { return MHD_NO; }
static inline enum MHD_Result http_yes(void) { return MHD_YES; }

static inline uint64_t http_unknown_size(void) { return MHD_SIZE_UNKNOWN; }
static inline ssize_t http_end(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t http_failure(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

#endif
