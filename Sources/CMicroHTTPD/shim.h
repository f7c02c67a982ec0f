#pragma once

#include <microhttpd.h>

// MHD_start_daemon takes variable arguments, which Swift cannot pass. The daemon has one thread, which polls all connections.
static inline struct MHD_Daemon *rx_mhd_start(
    int listener, unsigned connections, unsigned timeout, size_t memory, MHD_AccessHandlerCallback handle,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback notify, void *context
) {
    return MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, timeout, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, notify, context, MHD_OPTION_END);
}

/// Whether a notification says that a connection has begun; otherwise it has ended.
static inline int rx_mhd_has_begun(enum MHD_ConnectionNotificationCode code) { return code == MHD_CONNECTION_NOTIFY_STARTED; }

/// Returns the descriptor of a connection; -1 if it is unknown.
static inline int rx_mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int)info->connect_fd : -1;
}

// Swift imports the cases of these enumerations under names that depend on the version of the header.
static const enum MHD_Result rx_mhd_no = MHD_NO, rx_mhd_yes = MHD_YES;

/// Returns the value of a header field of a request; NULL if it has none.
static inline const char *rx_mhd_field(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/// Makes a response of a copy of the bytes.
static inline struct MHD_Response *rx_mhd_response(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
