/* SPDX-License-Identifier: Apache-2.0
 * base/file.c: bytes from a file or from memory, and files written whole or not at all.
 *
 * A file is written under another name in the same folder, flushed to the disk, then renamed
 * over the old one. rename(2) does this in one step: a reader, or a crash, finds the old file
 * or the new one. The folder is flushed last, so that the new name survives a crash too. */
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
#include "base/file_target.h"
#include "base/memory.h"
#include "base/system.h"
#include "base/text.h"
#include "base/unread.h"

static perp_status file_fail(perp_error *err, perp_status status, const char *path,
                             const char *what)
{
    return perp_fail(err, status, "%s: %s: %s", path, what, strerror(errno));
}

/* A file system that cannot flush is not an error. */
static bool file_flush(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

static void file_flush_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash > path ? (size_t)(slash - path) : 1; /* "/" is itself */
    char *folder = slash ? strndup(path, length) : strdup(".");
    int fd = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)fsync(fd); /* the file itself is safe; only its new name could be lost */
        close(fd);
    }
    free(folder);
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

static perp_status file_name(perp_file_out *o, const char *path, perp_error *err)
{
    memset(o, 0, sizeof *o);
    o->path = strdup(path);
    return o->path ? PERP_OK
                   : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for its name", path);
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
    off_t at = lseek(k->fd, *offset, whence);

    *offset = at;
    return at < 0 ? -1 : 0;
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

perp_status perp_file_create(perp_file_out *o, const char *path, perp_error *err)
{
    int fd = -1;
    perp_status status = file_name(o, path, err);

    if (status == PERP_OK) {
        status = perp_file_target(o, err);
    }
    if (status == PERP_OK) {
        status = perp_file_temporary(o, &fd, err);
    }
    if (status == PERP_OK) {
        o->f = file_stream(o, fd);
        if (!o->f) {
            close(fd);
            status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a stream", path);
        }
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

/* Copy the temporary file into the device or FIFO that is the target. */
static perp_status file_copy(const perp_file_out *o, perp_error *err)
{
    char bytes[1 << 16];
    ssize_t size = 0;
    int from = open(o->temporary, O_RDONLY | O_CLOEXEC);
    int to = o->open > 0 ? fcntl(o->open - 1, F_DUPFD_CLOEXEC, 0)
                         : open(o->target, O_WRONLY | O_APPEND | O_CLOEXEC);
    bool good = from >= 0 && to >= 0;

    unlink(o->temporary); /* now: a reader that goes away can end this process */
    while (good && (size = read(from, bytes, sizeof bytes)) > 0) {
        for (ssize_t done = 0; good && done < size;) {
            ssize_t wrote = write(to, bytes + done, (size_t)(size - done));

            good = wrote >= 0 || errno == EINTR;
            done += wrote > 0 ? wrote : 0;
        }
    }
    perp_status status = good && size == 0
                             ? PERP_OK
                             : file_fail(err, PERP_ERR_WRITE, o->path, "cannot write");
    if (from >= 0) {
        close(from);
    }
    if (to >= 0 && close(to) != 0 && status == PERP_OK) {
        status = file_fail(err, PERP_ERR_WRITE, o->path, "cannot write");
    }
    return status;
}

perp_status perp_file_commit(perp_file_out *o, perp_error *err)
{
    perp_status status = PERP_OK;
    FILE *f = o->f;

    errno = 0;
    if (perp_memory_missed()) {
        status =
            perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a part of it", o->path);
    } else if (fflush(f) != 0 || ferror(f) || !file_flush(o->kept->fd)) {
        errno = o->kept->error ? o->kept->error : errno;
        status = file_fail(err, PERP_ERR_WRITE, o->path, "cannot write");
    }
    o->f = NULL;
    if (fclose(f) != 0 && status == PERP_OK) {
        status = file_fail(err, PERP_ERR_WRITE, o->path, "cannot write");
    }
    if (status == PERP_OK && o->special) {
        status = file_copy(o, err);
    } else if (status == PERP_OK && rename(o->temporary, o->target) != 0) {
        status = file_fail(err, PERP_ERR_WRITE, o->path, "cannot rename to it");
    } else if (status == PERP_OK) {
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
    perp_status status = PERP_OK;

    good = fclose(o->f) == 0 && good;
    o->f = NULL;
    *bytes = NULL;
    *size = 0;
    if (good) {
        *bytes = o->bytes;
        *size = o->size;
        o->bytes = NULL;
    } else {
        status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory to write to", o->path);
    }
    perp_file_abandon(o);
    return status;
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
    free(o->temporary);
    free(o->target);
    free(o->kept);
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

/* Bytes of the mark that editors put before a text in UTF-8. No binary file of perp starts so. */
static size_t source_mark(const char *bytes, size_t size)
{
    return size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

perp_status perp_source_check(const char *bytes, size_t size, const char *name,
                              perp_error *err)
{
    return size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 ||
                         memcmp(bytes, "\xfe\xff", 2) == 0)
               ? perp_fail(err, PERP_ERR_FORMAT, "%s: a text in UTF-16, expected UTF-8",
                           name)
               : PERP_OK;
}

perp_status perp_source_load(perp_source *from, perp_error *err)
{
    char *text = NULL;
    size_t mark = 0;
    perp_status status = PERP_OK;

    if (!from->memory && !from->bytes) {
        status = perp_file_slurp(from->name, &text, &from->size, err);
        mark = text ? source_mark(text, from->size) : 0;
        if (mark > 0) {
            memmove(text, text + mark, from->size - mark + 1);
            from->size -= mark;
        }
        from->bytes = text;
    } else if (from->memory && from->bytes) {
        mark = source_mark(from->bytes, from->size);
        from->bytes += mark;
        from->size -= mark;
    }
    return status == PERP_OK && from->bytes
               ? perp_source_check(from->bytes, from->size, from->name, err)
               : status;
}

void perp_source_release(perp_source *from)
{
    if (!from->memory) {
        free((char *)(uintptr_t)from->bytes); /* from perp_source_load */
        from->bytes = NULL;
        from->size = 0;
    }
}

/* Without a stream, which would need memory. -1: it cannot be opened or read (errno). */
static ssize_t file_peek(const char *path, char *bytes, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t have = 0;
    ssize_t got = fd >= 0 ? 1 : -1;

    while (got > 0 && have < room) {
        got = read(fd, bytes + have, room - have);
        have += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0) {
        int saved = errno;

        close(fd);
        errno = saved;
    }
    return got < 0 ? -1 : (ssize_t)have;
}

static bool file_is_regular(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

perp_status perp_source_head(perp_source *from, char *bytes, perp_error *err)
{
    ssize_t have = 0;

    if (from->memory || !file_is_regular(from->name)) {
        return PERP_OK;
    }
    have = file_peek(from->name, bytes, PERP_SOURCE_HEAD);
    if (have < 0) {
        return file_fail(err, PERP_ERR_READ, from->name, "cannot open");
    }
    from->head = bytes;
    from->head_size = (size_t)have;
    return PERP_OK;
}

size_t perp_source_peek(const perp_source *from, char *bytes, size_t room)
{
    const char *start = from->memory ? from->bytes : from->head;
    size_t size = from->memory ? from->size : from->head_size;
    size_t have = 0;
    size_t mark = 0;

    if (from->memory || (start && room <= PERP_SOURCE_HEAD)) {
        have = size < room ? size : room;
        if (have > 0) {
            memcpy(bytes, start, have);
        }
    } else if (file_is_regular(from->name)) {
        ssize_t got = file_peek(from->name, bytes, room);

        if (got < 0) {
            perp_unread_note(from->name);
        }
        have = got > 0 ? (size_t)got : 0;
    }
    mark = source_mark(bytes, have);
    have -= mark;
    memmove(bytes, bytes + mark, have);
    bytes[have] = '\0';
    return have;
}

bool perp_source_is_folder(const perp_source *from)
{
    struct stat st;

    return !from->memory && stat(from->name, &st) == 0 && S_ISDIR(st.st_mode);
}

char *perp_text_valid(const char *bytes, size_t length)
{
    char *text = strndup(bytes, length);
    char *valid = NULL;

    if (!text || perp_text_is_utf8(text)) {
        return text;
    }
    valid = perp_text_utf8(text);
    free(text);
    return valid;
}

size_t perp_path_length(const char *path)
{
    size_t length = strlen(path);

    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    return length;
}

char *perp_path_stem(const char *path)
{
    size_t end = perp_path_length(path);
    size_t start = 0;
    char *stem = NULL, *name = NULL;

    for (start = end; start > 0 && path[start - 1] != '/'; start--) {
    }
    for (size_t dot = end; dot > start + 1; dot--) {
        if (path[dot - 1] == '.') {
            end = dot - 1;
            break;
        }
    }
    stem = strndup(path + start, end - start);
    name = stem ? perp_text_utf8(stem) : NULL;
    free(stem);
    return name;
}

bool perp_path_ends(const char *path, const char *extension)
{
    size_t n = strlen(path);
    size_t m = strlen(extension);

    return n > m && strcmp(path + n - m, extension) == 0;
}
