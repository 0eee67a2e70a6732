/* SPDX-License-Identifier: Apache-2.0
 * tests/faults/drive.c: one run of main for each call that may fail, and the judge of its end.
 *
 * The program is loaded once; each run is a fork made just before main, which takes a few
 * milliseconds. Every run starts in the same folder with the same files. A run undisturbed, made
 * twice, says what belongs there afterwards. A disturbed run must
 *
 *  - end by itself, with the status and all that the undisturbed run wrote, or with status 2; libhdf5
 *    1.10 crashes where its own allocations fail: it leaves temporary files then, as a kill does,
 *  - then say why: in words about memory, or in those of the error that the call had,
 *  - leave each file as it was, as the undisturbed run leaves it, or not at all,
 *  - leave nothing else, and no process.
 *
 *     PERP_FAULT_DRIVE   the folder to run in
 *     PERP_FAULT_PLAN    kinds with the errors of their calls: memory, memory-from, write:ENOSPC, …
 *     PERP_FAULT_STRIDE  each k below this number, then in steps of 3/4 k; 0: all k
 *     PERP_FAULT_LOOSE   what children failed to do may be part of the result: files may differ from
 *                        those of the undisturbed run, but must be complete
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tree.h"

enum { DRIVE_PATIENCE = 10000, DRIVE_FINDINGS = 25, DRIVE_GRACE = 200 };

static const struct {
    const char *name;
    int error;
} drive_errors[] = {
    {"ENOSPC", ENOSPC}, {"EIO", EIO},     {"EACCES", EACCES}, {"EMFILE", EMFILE},
    {"EDQUOT", EDQUOT}, {"EROFS", EROFS}, {"ENOMEM", ENOMEM}, {"EINTR", EINTR},
};

typedef struct drive_program {
    shim_main main;
    int argc;
    char **argv, **env;
    const char *folder;
    bool loose;
} drive_program;

/* How one run ended. */
typedef struct drive_end {
    int status; /* as a shell reports it */
    bool late;  /* it did not end */
    bool left;  /* it left a process */
    uint64_t calls;
    bool hdf5;       /* memory of libhdf5 failed, and the run crashed */
    tree out, files; /* stdout and stderr; what is in the folder */
} drive_end;

static tree drive_before;
static drive_end drive_plain, drive_now;
static size_t drive_findings;
static char drive_streams[TREE_NAME]; /* folder of stdout and stderr */

static void drive_stop(const char *what)
{
    fprintf(stderr, "drive: %s: %s\n", what, strerror(errno));
    _exit(99);
}

/* ---- one run ---- */

static void drive_redirect(const char *name, int as)
{
    char path[2 * TREE_NAME];
    int fd = -1;

    snprintf(path, sizeof path, "%s/%s", drive_streams, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || dup2(fd, as) < 0) {
        drive_stop(path);
    }
}

static void drive_become(const drive_program *p, const shim_order *order)
{
    char pid[32], text[32];
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);

    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    setenv("PERP_FAULT_OWNER", pid, 1);
    setenv("PERP_FAULT_PROGRAM", program_invocation_short_name, 1);
    setenv("PERP_FAULT_KIND", shim_kind_name(order->kind), 1);
    setenv("PERP_FAULT_CLOCK", "1", 1);
    unsetenv("PERP_FAULT_DRIVE");
    unsetenv("PERP_FAULT_FROM");
    snprintf(text, sizeof text, "%llu", (unsigned long long)order->at);
    setenv(order->from ? "PERP_FAULT_FROM" : "PERP_FAULT_AT", text, 1);
    snprintf(text, sizeof text, "%d", order->error);
    setenv("PERP_FAULT_ERRNO", text, 1);
    dup2(none, STDIN_FILENO);
    drive_redirect("out", STDOUT_FILENO);
    drive_redirect("err", STDERR_FILENO);
    if (chdir(p->folder) != 0) {
        drive_stop(p->folder);
    }
    shim = *order;
    shim.owner = getpid();
    if (order->kind != SHIM_MEMORY) {
        setenv("PERP_FAULT_FILTER", "1", 1);
        if (!shim_calls_filter()) {
            drive_stop("seccomp");
        }
    }
    exit(p->main(p->argc, p->argv, p->env));
}

/* End what has become a child of this process because its parent is dead. */
static void drive_end_children(void)
{
    char path[64];
    FILE *list = NULL;
    int pid = 0;

    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    list = fopen(path, "re");
    while (list && fscanf(list, "%d", &pid) == 1) {
        kill(pid, SIGKILL);
    }
    if (list) {
        fclose(list);
    }
}

/* Wait for the run; what still runs after it is ended and counted as left. */
static void drive_wait(pid_t pid, drive_end *end)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd ends = {.fd = fd, .events = POLLIN};
    int status = 0;

    end->late = poll(&ends, 1, DRIVE_PATIENCE) == 0;
    if (end->late) {
        kill(pid, SIGKILL);
    }
    if (waitpid(pid, &status, 0) != pid) {
        drive_stop("waitpid");
    }
    close(fd);
    end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    end->left = false;
    for (int ms = 0; (pid = waitpid(-1, NULL, WNOHANG)) >= 0; ms++) {
        if (pid == 0 && ms == DRIVE_GRACE) {
            end->left = true;
            drive_end_children();
        }
        poll(NULL, 0, pid == 0 ? 1 : 0);
    }
}

static void drive_run(const drive_program *p, const shim_order *order, drive_end *end)
{
    pid_t pid = 0;

    if (!tree_restore(&drive_before, p->folder)) {
        drive_stop("cannot restore the folder");
    }
    order->count[0] = order->count[1] = 0;
    pid = fork();
    if (pid == 0) {
        drive_become(p, order);
    }
    if (pid < 0) {
        drive_stop("fork");
    }
    drive_wait(pid, end);
    end->calls = *order->count;
    end->hdf5 = order->count[1] && (end->late || end->status >= 128);
    if (!tree_read(&end->files, p->folder) || !tree_read(&end->out, drive_streams)) {
        drive_stop("cannot read the folder");
    }
}

/* ---- the judge ---- */

static void drive_find(const shim_order *order, const char *what, const char *detail)
{
    const tree_entry *err = tree_find(&drive_now.out, "err");

    if (drive_findings++ < DRIVE_FINDINGS) {
        printf("%s%s:%d at %llu: %s%s [status %d] %s\n", shim_kind_name(order->kind),
               order->from ? "-from" : "", order->error, (unsigned long long)order->at,
               what, detail, drive_now.status, err ? err->bytes : "");
        fflush(stdout); /* each run begins as a copy of this process */
    }
}

static bool text_has(const char *text, const char *part)
{
    return strcasestr(text, part) != NULL;
}

/* A document of JSON, or one per line, is whole. jansson of the program itself reads it. */
static bool document_whole(const char *text, size_t size)
{
    void *(*load)(const char *, size_t, size_t, void *) = NULL;

    *(void **)&load = dlsym(RTLD_DEFAULT, "json_loadb");
    return !load || load(text, size, 0, NULL);
}

static bool entry_whole(const tree_entry *e)
{
    const char *extension = strrchr(e->path, '.');

    if (e->folder || !extension) {
        return true;
    }
    if (strcmp(extension, ".json") == 0) {
        return document_whole(e->bytes, e->size);
    }
    if (strcmp(extension, ".jsonl") == 0) {
        const char *line = e->bytes;
        const char *stop = line;

        for (; (stop = strchr(line, '\n')); line = stop + 1) {
            if (!document_whole(line, (size_t)(stop - line))) {
                return false;
            }
        }
        return !*line;
    }
    return e->size > 0;
}

static void judge_message(const shim_order *order)
{
    const tree_entry *err = tree_find(&drive_now.out, "err");
    const char *text = err ? err->bytes : "";
    bool memory = order->kind == SHIM_MEMORY || order->error == ENOMEM;

    if (!*text || text[strlen(text) - 1] != '\n') {
        drive_find(order, "no message", "");
    } else if (text_has(text, "success")) {
        drive_find(order, "a failure called success", "");
    } else if (memory && !text_has(text, "memory")) {
        drive_find(order, "memory is not mentioned", "");
    } else if (!memory && !text_has(text, strerror(order->error)) &&
               !text_has(text, "standard output: a part of it could not be written")) {
        drive_find(order, "the message lacks: ", strerror(order->error));
    }
}

/* A file that grows while the program runs may end early when the program does: a table after a whole
 * line, a journal of whole documents, a trajectory as HDF5 left it, for --resume. */
static bool file_grows(const tree_entry *e, const tree_entry *new)
{
    const char *extension = strrchr(e->path, '.');

    if (!new || !extension ||
        (e->size > 0 && strcmp(extension, ".h5") != 0 && e->bytes[e->size - 1] != '\n')) {
        return false;
    }
    return strcmp(extension, ".jsonl") == 0 ? entry_whole(e)
           : strcmp(extension, ".csv") == 0
               ? e->size <= new->size &&memcmp(e->bytes, new->bytes, e->size) == 0
               : strcmp(extension, ".h5") == 0 && text_has(e->path, "trajectory.h5");
}

/* As the undisturbed run left it; after a failure also as it was, or the first lines of it. */
static bool entry_expected(const tree_entry *e, const tree_entry *old,
                           const tree_entry *new, bool done)
{
    return (new &&tree_same(e, new)) ||
           (!done && ((old && tree_same(e, old)) || file_grows(e, new)));
}

/* What was written is as before, or as the undisturbed run has it. */
static void judge_files(const shim_order *order, bool loose, bool done)
{
    for (size_t k = 0; k < drive_now.files.count; k++) {
        const tree_entry *e = &drive_now.files.entry[k];
        const tree_entry *old = tree_find(&drive_before, e->path);
        const tree_entry *new = tree_find(&drive_plain.files, e->path);
        bool varies = new && (new->varies || (loose && e->folder == new->folder));

        if (strstr(e->path, ".tmp-") || (!old && !new)) {
            if (!drive_now.hdf5) {
                drive_find(order, "left over: ", e->path);
            }
        } else if (varies ? !entry_whole(e) && (done || !file_grows(e, new))
                          : !entry_expected(e, old, new, done)) {
            drive_find(order,
                       old && new &&done ? "not written: " : "half written: ", e->path);
        }
    }
    for (size_t k = 0; k < drive_before.count; k++) {
        const char *path = drive_before.entry[k].path;

        if (!tree_find(&drive_now.files, path) && tree_find(&drive_plain.files, path)) {
            drive_find(order, "removed: ", path);
        }
    }
    for (size_t k = 0; done && !loose && k < drive_plain.files.count; k++) {
        const char *path = drive_plain.files.entry[k].path;

        if (!tree_find(&drive_now.files, path)) {
            drive_find(order, "missing: ", path);
        }
    }
}

/* The first line of b that is not that of a. */
static const char *text_difference(const char *a, const char *b)
{
    static char line[TREE_NAME];
    size_t start = 0;

    for (size_t k = 0; a[k] && a[k] == b[k]; k++) {
        start = a[k] == '\n' ? k + 1 : start;
    }
    snprintf(line, sizeof line, "%.*s", (int)strcspn(b + start, "\n"), b + start);
    return line;
}

static void judge_end(const shim_order *order, bool loose)
{
    const tree_entry *said = tree_find(&drive_now.out, "out");
    const tree_entry *plain = tree_find(&drive_plain.out, "out");
    bool done = drive_now.status == drive_plain.status;

    if (drive_now.hdf5) {
        done = false;
    } else if (drive_now.late || drive_now.status >= 128) {
        drive_find(order, drive_now.late ? "no end" : "a crash", "");
    } else if (loose && drive_now.status <= 1) {
        done = true;
    } else if (!done && drive_now.status != 2) {
        drive_find(order, "a wrong status", "");
    } else if (!done) {
        judge_message(order);
    } else if (!plain->varies && !tree_same(said, plain)) {
        drive_find(order, "another result: ", text_difference(plain->bytes, said->bytes));
    }
    if (drive_now.left) {
        drive_find(order, "a process is left", "");
    }
    judge_files(order, loose, done);
}

/* ---- all runs ---- */

/* Run twice without a fault: the first says what belongs there, the second what varies. */
static void drive_undisturbed(const drive_program *p, shim_order order)
{
    order.at = 0;
    drive_run(p, &order, &drive_plain);
    drive_run(p, &order, &drive_now);
    for (size_t k = 0; k < drive_plain.files.count; k++) {
        tree_entry *e = &drive_plain.files.entry[k];
        const tree_entry *again = tree_find(&drive_now.files, e->path);

        e->varies = !again || !tree_same(e, again);
    }
    for (size_t k = 0; k < drive_plain.out.count; k++) {
        tree_entry *e = &drive_plain.out.entry[k];

        e->varies = !tree_same(e, tree_find(&drive_now.out, e->path));
    }
    if (drive_plain.status != drive_now.status || drive_plain.status >= 2 ||
        drive_plain.late) {
        drive_find(&order, "the undisturbed run fails", "");
    }
}

/* "write:ENOSPC" or "memory-from" */
static bool drive_read(const char *word, shim_order *order)
{
    char name[64];
    char *error = NULL;
    char *from = NULL;

    snprintf(name, sizeof name, "%s", word);
    error = strchr(name, ':');
    order->error = ENOMEM;
    if (error) {
        size_t k = 0;
        size_t count = sizeof drive_errors / sizeof *drive_errors;

        *error++ = '\0';
        while (k < count && strcmp(drive_errors[k].name, error) != 0) {
            k++;
        }
        if (k == count) {
            return false;
        }
        order->error = drive_errors[k].error;
    }
    from = strstr(name, "-from");
    order->from = from && !from[5];
    if (order->from) {
        *from = '\0';
    }
    return shim_kind_find(name, &order->kind);
}

static uint64_t drive_next(uint64_t k, uint64_t stride)
{
    return k + (stride > 0 && k >= stride ? (3 * k + 3) / 4 : 1);
}

static uint64_t drive_plan(const drive_program *p, shim_order order, uint64_t stride)
{
    uint64_t runs = 0;
    uint64_t calls = 0;

    drive_undisturbed(p, order);
    calls = drive_plain.calls;
    for (order.at = 1; order.at <= calls; order.at = drive_next(order.at, stride)) {
        drive_run(p, &order, &drive_now);
        judge_end(&order, p->loose);
        runs++;
    }
    return runs;
}

static void drive_prepare(shim_order *order, const char *folder)
{
    const char *children = getenv("PERP_FAULT_CHILDREN");
    char path[2 * TREE_NAME];

    snprintf(drive_streams, sizeof drive_streams, "%s.streams", folder);
    snprintf(path, sizeof path, "%s.count", folder);
    *order = (shim_order){.clock = true, .children = children && *children};
    order->count = shim_counter(path);
    setenv("PERP_FAULT_COUNT", path, 1);
    if (mkdir(drive_streams, 0700) != 0 || !order->count ||
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 ||
        !tree_read(&drive_before, folder)) {
        drive_stop(folder);
    }
}

int shim_drive(shim_main program, int argc, char **argv, char **env)
{
    const char *plan = getenv("PERP_FAULT_PLAN");
    const char *steps = getenv("PERP_FAULT_STRIDE");
    drive_program p = {program,
                       argc,
                       argv,
                       env,
                       getenv("PERP_FAULT_DRIVE"),
                       getenv("PERP_FAULT_LOOSE") && *getenv("PERP_FAULT_LOOSE")};
    char *words = strdup(plan ? plan : "memory");
    char *save = NULL;
    uint64_t stride = steps ? strtoull(steps, NULL, 10) : 0;
    uint64_t runs = 0;
    shim_order order;

    drive_prepare(&order, p.folder);
    for (char *word = strtok_r(words, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        if (!drive_read(word, &order)) {
            fprintf(stderr, "drive: \"%s\" is no kind of call with an error\n", word);
            return 99;
        }
        runs += drive_plan(&p, order, stride);
    }
    free(words);
    printf("%llu runs, %zu findings\n", (unsigned long long)runs, drive_findings);
    fflush(stdout);
    return drive_findings > 0;
}
