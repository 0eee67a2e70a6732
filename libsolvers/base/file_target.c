/* SPDX-License-Identifier: Apache-2.0
 * base/file_target.c: where a written file ends up, and its temporary file.
 *
 * A temporary file is called TARGET.tmp-HOST-PID-K. One whose process on this host is dead was
 * left by a kill, and the next file for the same target removes it. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_target.h"
#include "base/system.h"

enum { TARGET_LINKS = 40, TARGET_TRIES = 1000 };

size_t perp_file_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* What a link points to, from the folder of the link; NULL: no link, or no memory (errno). */
static char *target_follow(const char *path)
{
    char to[PERP_FILE_PATH_LENGTH];
    ssize_t length = readlink(path, to, sizeof to - 1);
    size_t folder = length > 0 && to[0] == '/' ? 0 : perp_file_folder(path);
    char *next = length > 0 ? malloc(folder + (size_t)length + 1) : NULL;

    if (next) {
        memcpy(next, path, folder);
        memcpy(next + folder, to, (size_t)length);
        next[folder + (size_t)length] = '\0';
    }
    return next;
}

/* The number in a name that is one; -1: it is something else. */
static int target_number(const char *name)
{
    int number = -1, used = 0;

    return *name >= '0' && *name <= '9' && sscanf(name, "%9d%n", &number, &used) == 1 &&
                   name[used] == '\0'
               ? number
               : -1;
}

int perp_file_descriptor(const char *path)
{
    char own[32];
    const char *const folders[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/",
                                   own};

    snprintf(own, sizeof own, "/proc/%ld/fd/", (long)getpid());
    if (strcmp(path, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    if (strcmp(path, "/dev/stderr") == 0) {
        return STDERR_FILENO;
    }
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        const size_t length = strlen(folders[k]);

        if (strncmp(path, folders[k], length) == 0) {
            return target_number(path + length);
        }
    }
    return -1;
}

/* A link among the descriptors of a process, by whatever name of their folder: "/proc/4711/fd/1".
 * It leads to what is open there, which its text may not name. */
static bool target_is_link_of_process(perp_file_out *o)
{
    const size_t length = perp_file_folder(o->target);
    char *given = length > 0 ? strndup(o->target, length) : strdup(".");
    const int number = target_number(o->target + length);
    char *folder = given && number >= 0 ? perp_path_real(given) : NULL;
    char path[PERP_FILE_PATH_LENGTH];
    bool is =
        folder && strncmp(folder, "/proc/", 6) == 0 && perp_path_ends(folder, "/fd");

    if (is) {
        snprintf(path, sizeof path, "%s/%d", folder, number);
        o->open = perp_file_descriptor(path) + 1;
    }
    free(folder);
    free(given);
    return is;
}

/* Is the target so far a descriptor? It is written into. */
static bool target_is_open(perp_file_out *o, bool there, const struct stat *st)
{
    o->open = perp_file_descriptor(o->target) + 1;
    o->special =
        o->open > 0 || (there && S_ISLNK(st->st_mode) && target_is_link_of_process(o));
    return o->special;
}

perp_status perp_file_target(perp_file_out *o, perp_error *err)
{
    struct stat st;

    o->target = strdup(o->path);
    for (int k = 0; o->target && k < TARGET_LINKS; k++) {
        const bool there = lstat(o->target, &st) == 0;
        char *next = NULL;

        if (target_is_open(o, there, &st) || !there) {
            return PERP_OK; /* new: whether it can be made is found out next */
        }
        if (!S_ISLNK(st.st_mode)) {
            break;
        }
        next = target_follow(o->target);
        free(o->target);
        o->target = next;
    }
    if (!o->target) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for its name", o->path);
    }
    if (S_ISLNK(st.st_mode)) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: more than %d symbolic links", o->path,
                         (int)TARGET_LINKS);
    }
    if (S_ISDIR(st.st_mode) || S_ISSOCK(st.st_mode)) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: it is a %s, expected a file", o->path,
                         S_ISDIR(st.st_mode) ? "folder" : "socket");
    }
    o->special = !S_ISREG(st.st_mode);
    if (!o->special && faccessat(AT_FDCWD, o->target, W_OK, AT_EACCESS) != 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: cannot open for writing: %s", o->path,
                         strerror(errno)); /* rename(2) would replace it */
    }
    return PERP_OK;
}

void perp_file_host(char host[PERP_FILE_HOST])
{
    if (gethostname(host, PERP_FILE_HOST) != 0) {
        strcpy(host, "host");
    }
    host[PERP_FILE_HOST - 1] = '\0';
    for (char *c = host; *c; c++) {
        *c = *c == '/' || *c == '-' ? '.' : *c;
    }
}

/* Is there no such process, or has it ended and its parent has not noticed yet? */
static bool target_is_dead(long pid)
{
    return kill((pid_t)pid, 0) != 0 ? errno == ESRCH : perp_process_ended(pid);
}

bool perp_file_is_left(const char *name, const char *base, const char *mark,
                       const char *host)
{
    size_t length = strlen(base);
    const size_t marked = strlen(mark);
    long pid = 0;
    int used = 0;

    if (strncmp(name, base, length) != 0 || strncmp(name + length, mark, marked) != 0) {
        return false;
    }
    name += length + marked;
    length = strlen(host);
    return strncmp(name, host, length) == 0 &&
           sscanf(name + length, "-%ld-%*d%n", &pid, &used) == 1 && used > 0 &&
           name[length + (size_t)used] == '\0' && pid > 0 && target_is_dead(pid);
}

/* Remove what dead processes left next to `path`. */
static void target_sweep(const char *path, const char *host)
{
    size_t folder = perp_file_folder(path);
    char *name = folder ? strndup(path, folder) : strdup(".");
    DIR *d = name ? opendir(name) : NULL;

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        if (perp_file_is_left(e->d_name, path + folder, ".tmp-", host)) {
            unlinkat(dirfd(d), e->d_name, 0);
        }
    }
    if (d) {
        closedir(d);
    }
    free(name);
}

/* The mode and owner of the file that will be replaced. Another owner cannot always be given, and
 * a file that is not given away keeps no rights of its old owner's. */
static void target_inherit(const char *target, int fd)
{
    struct stat old;

    if (stat(target, &old) == 0 && S_ISREG(old.st_mode)) {
        mode_t mode = old.st_mode & 0777;

        if (fchown(fd, old.st_uid, old.st_gid) != 0) {
            errno = 0;
        }
        (void)fchmod(fd, mode);
    }
}

/* Where a temporary file stands: next to the target, or in the folder for such files. */
static char *target_place(const perp_file_out *o)
{
    const char *base = perp_folder_temporary_parent();
    size_t room = 0;
    char *place = NULL;

    if (!o->special) {
        return strdup(o->target);
    }
    room = strlen(base) + sizeof "/perp";
    place = malloc(room);
    if (place) {
        snprintf(place, room, "%s/perp", base);
    }
    return place;
}

static perp_status target_fail(perp_error *err, const perp_file_out *o)
{
    const char *why = strerror(errno);

    return o->special
               ? perp_fail(err, PERP_ERR_WRITE,
                           "%s: cannot create a temporary file in %s (TMPDIR): %s",
                           o->path, perp_folder_temporary_parent(), why)
               : perp_fail(err, PERP_ERR_WRITE, "%s: cannot create a file next to it: %s",
                           o->path, why);
}

perp_status perp_file_temporary(perp_file_out *o, int *fd, perp_error *err)
{
    char host[PERP_FILE_HOST];
    char *place = target_place(o);
    size_t room = place ? strlen(place) + sizeof host + 64 : 0;
    char *name = place ? malloc(room) : NULL;

    *fd = -1;
    if (!name) {
        free(place);
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a file name", o->path);
    }
    perp_file_host(host);
    target_sweep(place, host);
    for (int k = 0; k < TARGET_TRIES && *fd < 0; k++) {
        snprintf(name, room, "%s.tmp-%s-%ld-%d", place, host, (long)getpid(), k);
        *fd = open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, o->special ? 0600 : 0666);
        if (*fd < 0 && errno != EEXIST && errno != EINTR) {
            break;
        }
    }
    free(place);
    if (*fd < 0) {
        free(name);
        return target_fail(err, o);
    }
    o->temporary = name;
    if (!o->special) {
        target_inherit(o->target, *fd);
    }
    return PERP_OK;
}
