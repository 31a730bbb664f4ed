// Counts heap allocations by standing in front of glibc's: an executable's definition of malloc is the one that every
// library of the process calls. Costs one increment of a thread-local number for each allocation.
#include "CAllocationCounter.h"
#include <errno.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define FASCIA_SANITIZED 1
#endif
#endif

static __thread uint64_t allocations;

uint64_t fascia_allocations_of_this_thread(void) { return allocations; }

#ifdef FASCIA_SANITIZED
int fascia_counts_allocations(void) { return 0; }
#else
int fascia_counts_allocations(void) { return 1; }

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size) {
    allocations++;
    return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    allocations++;
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    void *result = __libc_memalign(alignment, size);
    if (!result) return ENOMEM;
    *pointer = result;
    return 0;
}
#endif
