// libcurl, and what Swift cannot import of it: variadic functions, and addresses as C casts them.
#ifndef FIELDCORDER_CCURL_SHIM_H
#define FIELDCORDER_CCURL_SHIM_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

typedef size_t (*fetch_reader)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*fetch_opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

// Connects to the host and the port of an address, within five seconds, and says nothing there. The socket ends with the
// transfer. Returns its number, or -1 with the reason.
static inline int fetch_connect(CURL *transfer, CURLU *address, CURLcode *reason) {
  int failed = curl_easy_setopt(transfer, CURLOPT_NOSIGNAL, 1L);
  failed |= curl_easy_setopt(transfer, CURLOPT_PROXY, "");
  failed |= curl_easy_setopt(transfer, CURLOPT_CONNECT_ONLY, 1L);
  failed |= curl_easy_setopt(transfer, CURLOPT_CONNECTTIMEOUT_MS, 5000L);
  failed |= curl_easy_setopt(transfer, CURLOPT_CURLU, address);
  curl_socket_t number = CURL_SOCKET_BAD;
  *reason = failed ? CURLE_FAILED_INIT : curl_easy_perform(transfer);
  if (*reason == CURLE_OK) *reason = curl_easy_getinfo(transfer, CURLINFO_ACTIVESOCKET, &number);
  return *reason == CURLE_OK ? number : -1;
}

// What is the same for all transfers. Returns 0, or -1.
static inline int fetch_configure(
    CURL *transfer, const char *certificates, void *context, fetch_reader body, fetch_reader header,
    fetch_opener opener) {
  struct curl_slist *fields = curl_slist_append(NULL, "Icy-MetaData: 1");
  // What old servers write instead of "HTTP/1.0 ", whatever the status.
  struct curl_slist *icy = curl_slist_append(NULL, "ICY ");
  struct curl_slist *aliases = icy ? curl_slist_append(icy, "HTTP ") : NULL;
  if (!fields || !aliases) return -1;
  int failed = 0;
  failed |= curl_easy_setopt(transfer, CURLOPT_NOSIGNAL, 1L);
  failed |= curl_easy_setopt(transfer, CURLOPT_PROTOCOLS_STR, "http,https");
  failed |= curl_easy_setopt(transfer, CURLOPT_FOLLOWLOCATION, 0L);
  failed |= curl_easy_setopt(transfer, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  // No server of the environment's choice in between.
  failed |= curl_easy_setopt(transfer, CURLOPT_PROXY, "");
  // Some stations send a redirect back to itself until it is asked with its cookie. Kept for this stream alone.
  failed |= curl_easy_setopt(transfer, CURLOPT_COOKIEFILE, "");
  // Nothing is asked for compressed, but some servers compress all.
  failed |= curl_easy_setopt(transfer, CURLOPT_ACCEPT_ENCODING, "identity");
  // The server says which it wants; a password is not sent readable to one that takes digests.
  failed |= curl_easy_setopt(transfer, CURLOPT_HTTPAUTH, (long)(CURLAUTH_BASIC | CURLAUTH_DIGEST));
  failed |= curl_easy_setopt(transfer, CURLOPT_USERAGENT, "fieldcorder/0.1");
  failed |= curl_easy_setopt(transfer, CURLOPT_HTTPHEADER, fields);
  failed |= curl_easy_setopt(transfer, CURLOPT_HTTP200ALIASES, aliases);
  failed |= curl_easy_setopt(transfer, CURLOPT_CONNECTTIMEOUT_MS, 5000L);
  failed |= curl_easy_setopt(transfer, CURLOPT_LOW_SPEED_LIMIT, 1L);
  failed |= curl_easy_setopt(transfer, CURLOPT_LOW_SPEED_TIME, 10L);
  failed |= curl_easy_setopt(transfer, CURLOPT_FORBID_REUSE, 1L);
  failed |= curl_easy_setopt(transfer, CURLOPT_DNS_CACHE_TIMEOUT, 0L);
  failed |= curl_easy_setopt(transfer, CURLOPT_TCP_KEEPALIVE, 1L);
  failed |= curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
  failed |= curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, body);
  failed |= curl_easy_setopt(transfer, CURLOPT_HEADERDATA, context);
  failed |= curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, header);
  failed |= curl_easy_setopt(transfer, CURLOPT_OPENSOCKETDATA, context);
  failed |= curl_easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, opener);
  if (certificates) failed |= curl_easy_setopt(transfer, CURLOPT_CAINFO, certificates);
  return failed ? -1 : 0;
}

// Where to, and which part of it, such as "100-"; NULL for all. Returns 0, or -1.
static inline int fetch_point(CURL *transfer, CURLU *address, const char *range) {
  int failed = curl_easy_setopt(transfer, CURLOPT_CURLU, address);
  failed |= curl_easy_setopt(transfer, CURLOPT_RANGE, range);
  return failed ? -1 : 0;
}

// Takes the body as it comes, whatever the header says of its length and its compression.
static inline int fetch_believe_nothing(CURL *transfer) {
  int failed = curl_easy_setopt(transfer, CURLOPT_IGNORE_CONTENT_LENGTH, 1L);
  failed |= curl_easy_setopt(transfer, CURLOPT_HTTP_CONTENT_DECODING, 0L);
  return failed ? -1 : 0;
}

// What a reader of the body returns so that the transfer waits.
static inline size_t fetch_pause(void) { return CURL_WRITEFUNC_PAUSE; }

static inline int fetch_resume(CURL *transfer) { return curl_easy_pause(transfer, CURLPAUSE_CONT) == CURLE_OK ? 0 : -1; }

// The next transfer that has ended, and how; NULL when there is none.
static inline CURL *fetch_next_end(CURLM *transfers, CURLcode *result) {
  int left;
  CURLMsg *message = curl_multi_info_read(transfers, &left);
  if (!message || message->msg != CURLMSG_DONE) return NULL;
  *result = message->data.result;
  return message->easy_handle;
}

static inline void fetch_end(CURLM *transfers, CURL *transfer) {
  curl_multi_remove_handle(transfers, transfer);
  curl_easy_cleanup(transfer);
}

// Begins to load a part of what another transfer loads, with the same context. Returns NULL when it cannot.
static inline CURL *fetch_begin_beside(
    CURLM *transfers, CURL *other, CURLU *address, const char *range, fetch_reader body, fetch_reader header) {
  CURL *transfer = curl_easy_duphandle(other);
  if (!transfer) return NULL;
  int failed = fetch_point(transfer, address, range);
  failed |= curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, body);
  failed |= curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, header);
  if (!failed && curl_multi_add_handle(transfers, transfer) == CURLM_OK) return transfer;
  curl_easy_cleanup(transfer);
  return NULL;
}

// Waits for the transfer, for the link to end, or for the pipe to have space.
static inline void fetch_wait(CURLM *transfers, int link, int pipe, int needs_space, int milliseconds) {
  struct curl_waitfd others[2] = {
      {.fd = link, .events = CURL_WAIT_POLLIN},
      {.fd = pipe, .events = needs_space ? CURL_WAIT_POLLOUT : 0},
  };
  curl_multi_poll(transfers, others, 2, milliseconds, NULL);
}

// The address in numbers: 4 or 6, and its bytes; 0 for another family.
static inline int fetch_address(const struct curl_sockaddr *address, uint64_t *high, uint64_t *low) {
  *high = *low = 0;
  if (address->family == AF_INET) {
    *low = ntohl(((const struct sockaddr_in *)&address->addr)->sin_addr.s_addr);
    return 4;
  }
  if (address->family != AF_INET6) return 0;
  const uint8_t *bytes = ((const struct sockaddr_in6 *)&address->addr)->sin6_addr.s6_addr;
  for (int index = 0; index < 8; index++) *high = *high << 8 | bytes[index], *low = *low << 8 | bytes[8 + index];
  return 6;
}

// What the kernel keeps of a stream that nobody takes is small: the server is held back soon.
static inline curl_socket_t fetch_open_socket(const struct curl_sockaddr *address) {
  int number = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  int byte_count = 128 * 1024;
  if (number >= 0) setsockopt(number, SOL_SOCKET, SO_RCVBUF, &byte_count, sizeof byte_count);
  return number;
}

static inline curl_socket_t fetch_bad_socket(void) { return CURL_SOCKET_BAD; }

#endif
