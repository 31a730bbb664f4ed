import FasciaProcesses
import Foundation
import Testing

/// What programs have allocated and not given back, to the byte: their resident memory moves by megabytes with the allocator's moods.
///
/// A library between the programs and libc, as the programs have no reason to say it themselves.
struct HeapWatch {
    private static let source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <malloc.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <unistd.h>
        static void *watch(void *path) {
            for (;;) {
                struct mallinfo2 heap = mallinfo2();
                char text[32];
                int length = snprintf(text, sizeof text, "%020zu", heap.uordblks + heap.hblkhd);
                int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
                if (file >= 0) { if (write(file, text, (size_t)length) < 0) {} close(file); }
                usleep(50000);
            }
            return path;
        }
        __attribute__((constructor)) static void start(void) {
            char *path = NULL;
            pthread_t thread;
            if (getenv("HEAP_WATCH") && asprintf(&path, "%s.%d", getenv("HEAP_WATCH"), getpid()) > 0) pthread_create(&thread, NULL, watch, path);
        }
        """
    private let file: String
    /// For the programs that are watched, and those they start.
    let environment: [String: String]

    init(_ bench: TestBench) async throws {
        let source = bench.path("heap.c"), library = bench.path("heap.so")
        file = bench.path("heap")
        try Self.source.write(toFile: source, atomically: true, encoding: .utf8)
        try #require(try await SystemCommand.run("clang", ["-shared", "-fPIC", "-O1", "-o", library, source]).status == 0) // comes with Swift
        environment = ["LD_PRELOAD": library, "HEAP_WATCH": file]
    }

    /// Bytes in use, at most a twentieth of a second ago.
    func bytes(of pid: Int32) throws -> Int {
        try #require(Int(String(contentsOfFile: "\(file).\(pid)", encoding: .utf8)), "\(pid) is not watched")
    }
}
