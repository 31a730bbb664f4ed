#include "CAppRuntime.h"

#include <stdio.h>

// Method descriptor of `Foundation.NSObject.init()` (allocating) and type descriptor of `Foundation.NSObject`.
extern const char nsobject_init_method __asm__("$s10Foundation8NSObjectCACycfCTq");
extern const char nsobject_type __asm__("$s10Foundation8NSObjectCMn");

// Part of the Swift runtime's ABI.
extern void *swift_lookUpClassMethod(const void *metadata, const void *method, const void *type);

typedef __attribute__((swiftcall)) void *(*AllocatingInit)(__attribute__((swift_context)) const void *self_class);

void *fascia_create_object(const void *class_metadata) {
    AllocatingInit init = (AllocatingInit)swift_lookUpClassMethod(class_metadata, &nsobject_init_method, &nsobject_type);
    return init(class_metadata);
}

void fascia_write_output_by_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
