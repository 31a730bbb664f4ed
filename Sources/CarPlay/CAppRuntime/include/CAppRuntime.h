#pragma once

/// Makes an object of a Swift class derived from Foundation's NSObject by its `init()`, whatever subclass declares it.
///
/// Objective-C does this with `[[cls alloc] init]`. In Swift a class known at run time only can be instantiated just through a
/// `required init`, which app code does not write. `init()` of NSObject has a slot in every subclass's method table, so
/// it is looked up there and called with Swift's convention.
///
/// @param class_metadata the class, as `unsafeBitCast(type, to: UnsafeRawPointer.self)`
/// @return a retained object
void *fascia_create_object(const void *class_metadata);

/// Standard output is written line by line from here on, also into a pipe. C because `stdout` is a mutable global.
void fascia_write_output_by_lines(void);

/// From here on, whichever thread receives signal `number` by sigqueue writes where it is to `descriptor`, a pipe (spec/applink.md
/// 6.1). The descriptor is made non-blocking and close-on-exec.
/// @return 0, or -1 with errno set
int fascia_install_reporter(int descriptor, int number);
