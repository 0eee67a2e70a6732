/* SPDX-License-Identifier: Apache-2.0
 * tests/faults/shim.c: memory that fails at a call, a clock that does not depend on the machine,
 * and the start of main.
 *
 * The functions of the GNU C library behind malloc have names of their own, so that nothing has
 * to be looked up while memory is asked for. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "shim.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

enum { SHIM_FRAMES = 40 };

shim_order shim;
static _Thread_local bool shim_inside; /* calls of the shim itself are not counted */

const char *shim_kind_name(shim_kind kind)
{
    switch (kind) {
#define SHIM_CASE(kind, name)                                                            \
    case kind:                                                                           \
        return name;
        SHIM_KIND_LIST(SHIM_CASE)
#undef SHIM_CASE
    }
    return "";
}

bool shim_kind_find(const char *name, shim_kind *kind)
{
    for (int k = SHIM_MEMORY; k <= SHIM_MKDIR; k++) {
        if (strcmp(shim_kind_name((shim_kind)k), name) == 0) {
            *kind = (shim_kind)k;
            return true;
        }
    }
    return false;
}

uint64_t *shim_counter(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void *count = MAP_FAILED;

    if (fd >= 0 && ftruncate(fd, 2 * sizeof(uint64_t)) == 0) {
        count =
            mmap(NULL, 2 * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    if (fd >= 0) {
        close(fd);
    }
    return count == MAP_FAILED ? NULL : count;
}

/* The stack of the call that fails; for the reader of a failure, not for the test. */
static void shim_show(void)
{
    void *frames[SHIM_FRAMES];
    int fd = -1;

    shim_inside = true;
    fd = open(shim.show, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd >= 0) {
        backtrace_symbols_fd(frames, backtrace(frames, SHIM_FRAMES), fd);
        close(fd);
    }
    shim_inside = false;
}

bool shim_fails(shim_kind kind)
{
    uint64_t k = 0;
    bool fails = false;

    if (!shim.count || kind != shim.kind || shim_inside ||
        (!shim.children && syscall(SYS_getpid) != shim.owner) ||
        (shim.spared && syscall(SYS_getpid) == shim.spared)) {
        return false;
    }
    k = __atomic_add_fetch(shim.count, 1, __ATOMIC_RELAXED);
    fails = shim.at && (k == shim.at || (shim.from && k > shim.at));
    if (fails && shim.show && k == shim.at) {
        shim_show();
    }
    return fails;
}

/* ---- memory ---- */

/* Whether a function of libhdf5 is on the stack. */
static bool memory_of_hdf5(void)
{
    enum { FRAMES = 48 };
    void *frame[FRAMES];
    bool found = false;
    Dl_info where;
    int count = 0;

    shim_inside = true;
    count = backtrace(frame, FRAMES);
    for (int k = 0; k < count && !found; k++) {
        found = dladdr(frame[k], &where) && where.dli_fname &&
                strstr(where.dli_fname, "libhdf5");
    }
    shim_inside = false;
    return found;
}

static bool memory_fails(void)
{
    if (!shim_fails(SHIM_MEMORY)) {
        return false;
    }
    if (!shim.count[1]) {
        shim.count[1] = memory_of_hdf5();
    }
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return memory_fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return memory_fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return size > 0 && memory_fails() ? NULL : __libc_realloc(memory, size);
}

void *reallocarray(void *memory, size_t count, size_t size)
{
    size_t bytes = 0;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(memory, bytes);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
    return memory_fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memory_fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *got = memory_fails() ? NULL : __libc_memalign(alignment, size);

    if (!got) {
        return ENOMEM;
    }
    *memory = got;
    return 0;
}

/* ---- the clock ---- */

enum { CLOCK_START = 1700000000 };

/* It stands still: a call that fails may change how often it is read. */
static void clock_read(struct timespec *t)
{
    *t = (struct timespec){.tv_sec = CLOCK_START};
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    if (!shim.clock) {
        return (int)syscall(SYS_clock_gettime, id, t);
    }
    clock_read(t);
    return 0;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *t)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (t) {
        *t = now.tv_sec;
    }
    return now.tv_sec;
}

int getrusage(__rusage_who_t who, struct rusage *usage)
{
    if (!shim.clock) {
        return (int)syscall(SYS_getrusage, who, usage);
    }
    *usage = (struct rusage){.ru_maxrss = 1024};
    return 0;
}

/* ---- the start ---- */

static const char *order_text(const char *name)
{
    const char *text = getenv(name);

    return text && *text ? text : NULL;
}

static uint64_t order_number(const char *name)
{
    const char *text = order_text(name);

    return text ? strtoull(text, NULL, 10) : 0;
}

/* Orders of the environment, in the process that was given them or in a child that counts. */
static void order_read(void)
{
    const char *kind = order_text("PERP_FAULT_KIND");
    const char *owner = order_text("PERP_FAULT_OWNER");
    const char *name = order_text("PERP_FAULT_PROGRAM");
    const char *count = order_text("PERP_FAULT_COUNT");
    static uint64_t own_count[2];
    char pid[32];

    shim.children = order_text("PERP_FAULT_CHILDREN") != NULL;
    shim.clock = order_text("PERP_FAULT_CLOCK") != NULL;
    shim.owner = getpid();
    if (owner &&
        (!shim.children || !name || strcmp(name, program_invocation_short_name) != 0)) {
        return;
    }
    if (kind && !shim_kind_find(kind, &shim.kind)) {
        fprintf(stderr, "shim: PERP_FAULT_KIND is \"%s\", expected a kind\n", kind);
        _exit(99);
    }
    shim.from = order_text("PERP_FAULT_FROM") != NULL;
    shim.at = order_number(shim.from ? "PERP_FAULT_FROM" : "PERP_FAULT_AT");
    shim.error = (int)order_number("PERP_FAULT_ERRNO");
    shim.show = order_text("PERP_FAULT_SHOW");
    if (!owner && shim.children && strcmp(getenv("PERP_FAULT_CHILDREN"), "only") == 0) {
        shim.spared = shim.owner;
    }
    snprintf(pid, sizeof pid, "%ld", (long)shim.owner);
    setenv("PERP_FAULT_OWNER", pid, 1);
    setenv("PERP_FAULT_PROGRAM", program_invocation_short_name, 0);
    if (shim.show) { /* the first call loads a library */
        void *frame = NULL;

        backtrace(&frame, 1);
    }
    shim.count = count ? shim_counter(count) : own_count;
}

static shim_main shim_program;

static int shim_start(int argc, char **argv, char **env)
{
    if (prctl(PR_GET_SECCOMP) ==
        2) { /* inherited: also a program that knows of no order */
        shim_calls_handle();
    }
    if (order_text("PERP_FAULT_DRIVE")) {
        return shim_drive(shim_program, argc, argv, env);
    }
    if (!order_text("PERP_FAULT_KIND")) {
        return shim_program(argc, argv, env);
    }
    order_read();
    if (shim.count && shim.kind != SHIM_MEMORY && !order_text("PERP_FAULT_FILTER")) {
        if (!shim_calls_filter()) {
            _exit(99);
        }
        setenv("PERP_FAULT_FILTER", "1", 1);
    }
    return shim_program(argc, argv, env);
}

int __libc_start_main(shim_main program, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(shim_main program, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    int (*real)(shim_main, int, char **, void (*)(void), void (*)(void), void (*)(void),
                void *) = NULL;

    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    shim_program = program;
    return real(shim_start, argc, argv, init, fini, rtld_fini, stack_end);
}
