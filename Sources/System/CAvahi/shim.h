#pragma once
#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-core/core.h>
#include <avahi-core/log.h>
#include <avahi-core/lookup.h>
#include <avahi-core/publish.h>
#include <dlfcn.h>
#include <stddef.h>
#include <sys/eventfd.h> // wakes the avahi thread

// libavahi-client and libavahi-core both define avahi_entry_group_free, with different parameters: in a process that
// links both, one of them calls the other's and aborts. So neither is linked; the one that is needed is opened with
// RTLD_LOCAL, where it finds its own, and called through a table of its functions, each of its header's type.

#define FASCIA_AVAHI_CLIENT(F) \
    F(avahi_client_new) F(avahi_client_free) F(avahi_client_get_state) F(avahi_client_errno) F(avahi_client_get_host_name_fqdn) \
    F(avahi_entry_group_new) F(avahi_entry_group_free) F(avahi_entry_group_reset) F(avahi_entry_group_commit) \
    F(avahi_entry_group_add_service_strlst) F(avahi_entry_group_update_service_txt_strlst) \
    F(avahi_service_browser_new) F(avahi_service_browser_free) F(avahi_service_resolver_new) F(avahi_service_resolver_free) \
    F(avahi_record_browser_new) F(avahi_record_browser_free)

#define FASCIA_AVAHI_CORE(F) \
    F(avahi_set_log_function) F(avahi_server_config_init) F(avahi_server_config_free) \
    F(avahi_server_new) F(avahi_server_free) F(avahi_server_get_state) F(avahi_server_errno) \
    F(avahi_server_add_address) F(avahi_server_add_service_strlst) F(avahi_server_update_service_txt_strlst) \
    F(avahi_s_entry_group_new) F(avahi_s_entry_group_free) F(avahi_s_entry_group_reset) F(avahi_s_entry_group_commit) F(avahi_s_entry_group_is_empty) \
    F(avahi_s_service_browser_new) F(avahi_s_service_browser_free) F(avahi_s_service_resolver_new) F(avahi_s_service_resolver_free) \
    F(avahi_s_record_browser_new) F(avahi_s_record_browser_free) F(avahi_key_new) F(avahi_key_unref)

#define FASCIA_FIELD(name) __typeof__(name) *_Nonnull name;
struct AvahiClientLibrary { FASCIA_AVAHI_CLIENT(FASCIA_FIELD) };
struct AvahiCoreLibrary { FASCIA_AVAHI_CORE(FASCIA_FIELD) };
#undef FASCIA_FIELD

#define FASCIA_RESOLVE(symbol) \
    if (!(*(void **)&table->symbol = dlsym(library, #symbol))) return 0;

/// Fills the table; 0 when the library is missing or lacks a function (`dlerror` says which).
static inline int fascia_open_avahi_client(struct AvahiClientLibrary *_Nonnull table) {
    void *library = dlopen("libavahi-client.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    FASCIA_AVAHI_CLIENT(FASCIA_RESOLVE)
    return 1;
}

/// Fills the table; 0 when the library is missing or lacks a function (`dlerror` says which).
static inline int fascia_open_avahi_core(struct AvahiCoreLibrary *_Nonnull table) {
    void *library = dlopen("libavahi-core.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    FASCIA_AVAHI_CORE(FASCIA_RESOLVE)
    return 1;
}
#undef FASCIA_RESOLVE
