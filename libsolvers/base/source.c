/* SPDX-License-Identifier: Apache-2.0
 * base/source.c: bytes from a file or from memory, text made valid, and parts of paths. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "base/text.h"
#include "base/unread.h"

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
        return perp_fail(err, PERP_ERR_READ, "%s: cannot open: %s", from->name,
                         strerror(errno));
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
