/* SPDX-License-Identifier: Apache-2.0
 * base/file.c: files that are read whole, and files written whole or not at all.
 *
 * A file is written as TARGET.tmp-PID-K in the folder of the target, flushed to the disk, then renamed
 * over the old one. rename(2) does this in one step: a reader, or a crash, finds the old file or the new
 * one. The folder is flushed last, so that the new name survives a crash too. What goes to an open
 * descriptor is made in the folder of temporary files and copied when it is complete. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/system.h"

enum { FILE_TRIES = 1000 };

static perp_status file_fail(perp_error *err, perp_status status, const char *path,
                             const char *what)
{
    return perp_fail(err, status, "%s: %s: %s", path, what, strerror(errno));
}

FILE *perp_file_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0666);
    FILE *f = fd >= 0 ? fdopen(fd, flags & O_WRONLY ? "w" : "r") : NULL;

    if (fd >= 0 && !f) {
        close(fd);
    }
    return f;
}

int perp_file_descriptor(const char *path)
{
    int number = -1, used = 0;

    if (strcmp(path, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    return sscanf(path, "/dev/fd/%9d%n", &number, &used) == 1 && path[used] == '\0'
               ? number
               : -1;
}

static void file_flush_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder =
        slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");
    int fd = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;

    if (fd >= 0) {
        (void)fsync(fd); /* the file itself is safe; only its new name could be lost */
        close(fd);
    }
    free(folder);
}

/* Where the file will be: the path behind symbolic links, where a regular file is or none. */
static perp_status file_target(perp_file_out *o, mode_t *mode, perp_error *err)
{
    struct stat st;

    o->standard = perp_file_descriptor(o->path) >= 0;
    *mode = 0;
    if (o->standard) {
        return PERP_OK;
    }
    o->target = perp_path_real(o->path);
    o->target = o->target ? o->target : strdup(o->path);
    if (!o->target) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for its name", o->path);
    }
    if (lstat(o->target, &st) != 0) {
        return PERP_OK; /* new: whether it can be made is found out next */
    }
    if (!S_ISREG(st.st_mode)) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: it is %s, expected a file", o->path,
                         S_ISDIR(st.st_mode) ? "a folder"
                         : S_ISLNK(st.st_mode)
                             ? "one of the symbolic links that lead to no file"
                             : "a device, FIFO or socket (- is standard output)");
    }
    *mode = st.st_mode & 0777;
    return faccessat(AT_FDCWD, o->target, W_OK, AT_EACCESS) ==
                   0 /* rename(2) does not ask */
               ? PERP_OK
               : file_fail(err, PERP_ERR_WRITE, o->path, "cannot open for writing");
}

/* A stream forgets the error of a write that was buffered; this one keeps the first. */
struct perp_file_kept {
    int fd;
    int error;
};

static ssize_t kept_write(void *cookie, const char *bytes, size_t size)
{
    struct perp_file_kept *k = cookie;
    size_t done = 0;

    while (done < size) {
        ssize_t wrote = write(k->fd, bytes + done, size - done);

        if (wrote < 0 && errno != EINTR) {
            k->error = k->error ? k->error : errno;
            break;
        }
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return (ssize_t)done; /* less than size is an error to the stream */
}

static int kept_seek(void *cookie, off_t *offset, int whence)
{
    const struct perp_file_kept *k = cookie;

    *offset = lseek(k->fd, *offset, whence);
    return *offset < 0 ? -1 : 0;
}

static int kept_close(void *cookie)
{
    const struct perp_file_kept *k = cookie;

    return close(k->fd);
}

/* The stream of a new file, which owns fd. */
static FILE *file_stream(perp_file_out *o, int fd)
{
    static const perp_stream_calls calls = {kept_write, kept_seek, kept_close};
    FILE *f = NULL;

    o->kept = calloc(1, sizeof *o->kept);
    if (o->kept) {
        o->kept->fd = fd;
        f = perp_stream_open(o->kept, &calls);
        f = !f && errno == ENOSYS ? fdopen(fd, "w") : f;
    }
    return f;
}

/* Create the temporary file: next to the target, or in the folder for such files. */
static perp_status file_temporary(perp_file_out *o, mode_t mode, perp_error *err)
{
    const char *parent = perp_folder_temporary_parent();
    const char *place = o->standard ? parent : o->target;
    const char *inner = o->standard ? "/perp" : "";
    const size_t room = strlen(place) + 64;
    int fd = -1;

    o->temporary = malloc(room);
    if (!o->temporary) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a file name", o->path);
    }
    snprintf(o->temporary, room, "%s%s", place, inner);
    perp_folder_sweep(o->temporary, "tmp");
    for (int k = 0; k < FILE_TRIES && fd < 0; k++) {
        snprintf(o->temporary, room, "%s%s.tmp-%ld-%d", place, inner, (long)getpid(), k);
        fd = open(o->temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC,
                  o->standard ? 0600 : 0666);
        if (fd < 0 && errno != EEXIST && errno != EINTR) {
            break;
        }
    }
    o->f = fd >= 0 ? file_stream(o, fd) : NULL;
    if (o->f) {
        (void)(mode && fchmod(fd, mode)); /* that of the file which will be replaced */
        return PERP_OK;
    }
    if (fd >= 0) {
        close(fd);
        unlink(o->temporary);
    }
    free(o->temporary);
    o->temporary = NULL;
    return fd >= 0
               ? perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a stream", o->path)
           : o->standard
               ? perp_fail(err, PERP_ERR_WRITE,
                           "%s: cannot create a temporary file in %s (TMPDIR): %s",
                           o->path, parent, strerror(errno))
               : file_fail(err, PERP_ERR_WRITE, o->path,
                           "cannot create a file next to it");
}

static perp_status file_name(perp_file_out *o, const char *path, perp_error *err)
{
    memset(o, 0, sizeof *o);
    o->path = strdup(path);
    return o->path ? PERP_OK
                   : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for its name", path);
}

perp_status perp_file_create(perp_file_out *o, const char *path, perp_error *err)
{
    mode_t mode = 0;
    perp_status status = file_name(o, path, err);

    if (status == PERP_OK) {
        status = file_target(o, &mode, err);
    }
    if (status == PERP_OK) {
        status = file_temporary(o, mode, err);
    }
    if (status != PERP_OK) {
        perp_file_abandon(o);
    }
    return status;
}

perp_status perp_file_create_memory(perp_file_out *o, const char *name, perp_error *err)
{
    perp_status status = file_name(o, name, err);

    if (status == PERP_OK) {
        o->f = perp_memory_stream(&o->bytes, &o->size);
        if (!o->f) {
            status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a stream", name);
            perp_file_abandon(o);
        }
    }
    return status;
}

/* Copy the temporary file to the descriptor that the path names. */
static bool file_copy(const perp_file_out *o)
{
    char bytes[1 << 16];
    const int from = o->kept->fd, to = perp_file_descriptor(o->path);
    ssize_t size = 0;

    unlink(o->temporary); /* now: a reader that goes away can end this process */
    if (lseek(from, 0, SEEK_SET) < 0) {
        return false;
    }
    while ((size = read(from, bytes, sizeof bytes)) > 0) {
        for (ssize_t done = 0; done < size;) {
            const ssize_t wrote = write(to, bytes + done, (size_t)(size - done));

            if (wrote < 0 && errno != EINTR) {
                return false;
            }
            done += wrote > 0 ? wrote : 0;
        }
    }
    return size == 0;
}

/* Flush to the disk. A file system that cannot flush is not an error. */
static bool file_flush(const perp_file_out *o)
{
    errno = 0;
    if (fflush(o->f) != 0 || ferror(o->f)) {
        errno = o->kept->error ? o->kept->error : errno;
        return false;
    }
    return fsync(o->kept->fd) == 0 || errno == EINVAL || errno == ENOTSUP ||
           errno == EROFS;
}

perp_status perp_file_commit(perp_file_out *o, perp_error *err)
{
    perp_status status = PERP_OK;

    if (!file_flush(o) || (o->standard && !file_copy(o))) {
        status = file_fail(err, PERP_ERR_WRITE, o->path, "cannot write");
    } else if (!o->standard && rename(o->temporary, o->target) != 0) {
        status = file_fail(err, PERP_ERR_WRITE, o->path, "cannot rename to it");
    } else if (!o->standard) {
        file_flush_folder(o->target);
        free(o->temporary); /* it has been renamed: there is nothing to remove */
        o->temporary = NULL;
    }
    perp_file_abandon(o);
    return status;
}

perp_status perp_file_commit_memory(perp_file_out *o, char **bytes, size_t *size,
                                    perp_error *err)
{
    bool good = fflush(o->f) == 0 && !ferror(o->f);

    good = fclose(o->f) == 0 && good;
    o->f = NULL;
    *bytes = good ? o->bytes : NULL;
    *size = good ? o->size : 0;
    o->bytes = good ? NULL : o->bytes;
    if (!good) {
        perp_fail(err, PERP_ERR_MEMORY, "%s: no memory to write to", o->path);
    }
    perp_file_abandon(o);
    return good ? PERP_OK : PERP_ERR_MEMORY;
}

void perp_file_abandon(perp_file_out *o)
{
    int saved = errno;

    if (o->f) {
        fclose(o->f);
    }
    if (o->temporary) {
        unlink(o->temporary);
    }
    free(o->kept);
    free(o->temporary);
    free(o->target);
    free(o->bytes);
    free(o->path);
    memset(o, 0, sizeof *o);
    errno = saved;
}

/* Read to the end or beyond `most` bytes, in steps that double: pipes have no size, and
 * files may grow. */
static perp_status file_read_stream(FILE *f, const char *path, size_t room, size_t most,
                                    char **text, size_t *length, perp_error *err)
{
    char *t = malloc(room);
    size_t have = 0;

    while (t) {
        have += fread(t + have, 1, room - 1 - have, f);
        if (have + 1 < room || have > most) {
            break;
        }
        size_t twice = 0;
        char *more = perp_mul(room, 2, &twice) ? realloc(t, twice) : NULL;

        if (!more) {
            free(t);
        }
        t = more;
        room = twice;
    }
    if (!t) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory to read it", path);
    }
    if (ferror(f)) {
        free(t);
        return file_fail(err, PERP_ERR_READ, path, "cannot read");
    }
    t[have] = '\0';
    *text = t;
    *length = have;
    return PERP_OK;
}

perp_status perp_file_slurp_most(const char *path, size_t most, char **text,
                                 size_t *length, perp_error *err)
{
    enum { STEP = 1 << 16 };
    FILE *f = perp_file_open(path, O_RDONLY);
    struct stat st;
    size_t room = STEP;
    perp_status status = PERP_OK;

    *text = NULL;
    *length = 0;
    if (!f) {
        return file_fail(err, PERP_ERR_READ, path, "cannot open");
    }
    if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
        (size_t)st.st_size <= most) {
        room = (size_t)st.st_size + 2; /* the final 0, and one byte to see the end */
    }
    status = file_read_stream(f, path, room, most, text, length, err);
    fclose(f);
    return status;
}

bool perp_file_cut(FILE *f)
{
    return ferror(f) || !feof(f);
}

perp_status perp_file_slurp(const char *path, char **text, size_t *length,
                            perp_error *err)
{
    return perp_file_slurp_most(path, SIZE_MAX, text, length, err);
}
