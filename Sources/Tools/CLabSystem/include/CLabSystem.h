#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What Swift cannot say: namespaces, TAP devices, descriptors over sockets, and work between fork and exec.
// Every function returns -1 with errno set when it fails, unless it says otherwise.

/// Moves the calling thread into a new network namespace. Returns a descriptor of it.
int fascia_namespace_new(void);
/// A descriptor of the calling thread's network namespace.
int fascia_namespace_current(void);
/// Moves the calling thread into the network namespace.
int fascia_namespace_enter(int descriptor);

/// A socket of that network, for a caller in another one.
int fascia_namespace_socket(int network, int domain, int type);

/// Creates a TAP device in the calling thread's network namespace: Ethernet frames, non-blocking.
int fascia_tap_open(const char *name);
/// Plugs the cable of a TAP device in (1) or out (0).
int fascia_tap_carrier(int descriptor, int on);

/// A directory shown at another place.
struct fascia_bind { const char *source; const char *target; };

/// Moves the calling thread into the network namespace, with a view of the file system of its own in which the directories are bound and
/// /sys shows that network. On failure `*step` says at what.
int fascia_host_enter(int network, const struct fascia_bind *binds, size_t count, const char **step);

/// Starts a program there, that ends when the calling thread does. Standard input is /dev/null, output and errors go to `output`.
pid_t fascia_host_spawn(int network, const struct fascia_bind *binds, size_t count, const char *path, char *const arguments[],
                        char *const environment[], int output);

/// Turns this process into the program, found as the shell does, with no signal blocked. Returns only when that fails.
void fascia_become(const char *program, char *const arguments[]);

/// Starts a program in a session of its own, with the two descriptors as standard input and output and no others.
pid_t fascia_background_spawn(const char *path, char *const arguments[], int input, int output);

/// Sends bytes and one descriptor over a Unix socket.
ssize_t fascia_send_descriptor(int socket, const void *bytes, size_t count, int descriptor);
/// Receives bytes, and a descriptor when one came (else -1).
ssize_t fascia_receive_descriptor(int socket, void *bytes, size_t count, int *descriptor);

/// A pipe, and a connection taken from a listening socket, that programs started do not get.
int fascia_pipe(int ends[2]);
int fascia_accept(int listener);

/// Runs the calling thread before all ordinary ones, with exact timers; its children are ordinary. 0, or -1 where this is not allowed.
int fascia_thread_urgent(void);

/// ppoll with a time limit in nanoseconds; negative waits for ever.
struct pollfd;
int fascia_poll(struct pollfd *descriptors, size_t count, int64_t nanoseconds);
