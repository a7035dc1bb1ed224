// Avahi's client library, and what Swift cannot import of it: a list with its texts inside, and a union.
#ifndef FIELDCORDER_CAVAHI_SHIM_H
#define FIELDCORDER_CAVAHI_SHIM_H

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-common/simple-watch.h>
#include <string.h>

// Whether one of a service's texts is this one.
static inline int avahi_has_text(AvahiStringList *texts, const char *text) {
  for (; texts; texts = avahi_string_list_get_next(texts))
    if (avahi_string_list_get_size(texts) == strlen(text) &&
        memcmp(avahi_string_list_get_text(texts), text, strlen(text)) == 0)
      return 1;
  return 0;
}

// Whether it is of version 6 and means something on one link only (RFC 4291, section 2.5.6): then it is not enough to
// connect to.
static inline int avahi_is_on_link(const AvahiAddress *address) {
  const uint8_t *bytes = address->data.ipv6.address;
  return address->proto == AVAHI_PROTO_INET6 && bytes[0] == 0xFE && (bytes[1] & 0xC0) == 0x80;
}

static inline int avahi_is_new(AvahiBrowserEvent event) { return event == AVAHI_BROWSER_NEW; }
static inline int avahi_has_ended(AvahiBrowserEvent event) { return event == AVAHI_BROWSER_FAILURE; }
static inline int avahi_is_found(AvahiResolverEvent event) { return event == AVAHI_RESOLVER_FOUND; }
static inline int avahi_is_lost(AvahiClientState state) { return state == AVAHI_CLIENT_FAILURE; }

// Enumerations of the library, as calls without an option.
static inline AvahiClient *avahi_connect(
    AvahiSimplePoll *loop, AvahiClientCallback callback, void *context) {
  return avahi_client_new(avahi_simple_poll_get(loop), (AvahiClientFlags)0, callback, context, NULL);
}

static inline AvahiServiceBrowser *avahi_browse(
    AvahiClient *client, const char *type, AvahiServiceBrowserCallback callback, void *context) {
  return avahi_service_browser_new(
      client, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, type, NULL, (AvahiLookupFlags)0, callback, context);
}

// The address is to be of the protocol by which the service was found.
static inline AvahiServiceResolver *avahi_resolve(
    AvahiServiceBrowser *browser, AvahiIfIndex interface, AvahiProtocol protocol, const char *name, const char *type,
    const char *domain, AvahiServiceResolverCallback callback, void *context) {
  return avahi_service_resolver_new(
      avahi_service_browser_get_client(browser), interface, protocol, name, type, domain, protocol,
      (AvahiLookupFlags)0, callback, context);
}

#endif
