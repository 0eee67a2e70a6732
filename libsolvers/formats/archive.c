/* SPDX-License-Identifier: Apache-2.0
 * formats/archive.c: zip archives in memory. */
#include <config.h>

#include <string.h>
#include <zip.h>

#include "archive.h"
#include "base/base.h"

enum { DEFLATE_LIMIT = 1032 }; /* how much deflate can shrink at most */

/* Bytes of a member that is written. They are freed here: where memory is missing, libzip frees those
 * that it was given in some calls that fail and not in others. */
typedef struct archive_bytes {
    struct archive_bytes *next;
    unsigned char *bytes;
} archive_bytes;

struct perp_archive {
    const char *file; /* for messages */
    size_t size;      /* of the file that is read */
    zip_t *zip;
    zip_source_t *made; /* what is written goes there */
    archive_bytes *members;
};

static perp_status archive_fail(const char *file, zip_error_t *fault, perp_error *err)
{
    const bool memory = zip_error_code_zip(fault) == ZIP_ER_MEMORY;
    perp_status status =
        perp_fail(err, memory ? PERP_ERR_MEMORY : PERP_ERR_FORMAT,
                  "%s: not a readable zip archive: %s", file, zip_error_strerror(fault));

    zip_error_fini(fault);
    return status;
}

static perp_status archive_no_memory(const char *file, perp_error *err)
{
    return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for the archive", file);
}

perp_status perp_archive_open(perp_archive **out, perp_source *from, perp_error *err)
{
    zip_error_t fault;
    zip_source_t *source = NULL;
    perp_archive *z = NULL;
    perp_status status = perp_source_load(from, err);

    *out = NULL;
    if (status != PERP_OK) {
        return status;
    }
    z = calloc(1, sizeof *z);
    if (!z) {
        return archive_no_memory(from->name, err);
    }
    z->file = from->name;
    z->size = from->size;
    zip_error_init(&fault);
    source = zip_source_buffer_create(from->bytes, from->size, 0, &fault);
    z->zip =
        source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &fault) : NULL;
    if (!z->zip) {
        zip_source_free(source);
        perp_archive_free(z);
        return archive_fail(from->name, &fault, err);
    }
    zip_error_fini(&fault);
    *out = z;
    return PERP_OK;
}

void perp_archive_free(perp_archive *z)
{
    if (z) {
        if (z->zip) {
            zip_discard(z->zip);
        }
        zip_source_free(z->made);
        while (z->members) {
            archive_bytes *m = z->members;

            z->members = m->next;
            free(m->bytes);
            free(m);
        }
        free(z);
    }
}

bool perp_archive_has(const perp_archive *z, const char *name)
{
    return zip_name_locate(z->zip, name, 0) >= 0;
}

/* The size of a member: no more than deflate can pack into what is stored of it. */
static perp_status archive_size(const perp_archive *z, const char *name,
                                zip_uint64_t index, size_t *size, perp_error *err)
{
    const zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    zip_stat_t stat;

    if (zip_stat_index(z->zip, index, 0, &stat) != 0 || (stat.valid & needed) != needed) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: member %s: its size is unknown",
                         z->file, name);
    }
    if (stat.comp_size > z->size || stat.size / DEFLATE_LIMIT > stat.comp_size) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: member %s: %llu bytes cannot be packed into %llu", z->file,
                         name, (unsigned long long)stat.size,
                         (unsigned long long)stat.comp_size);
    }
    *size = (size_t)stat.size;
    return PERP_OK;
}

/* Read `size` bytes to the end of the member, where its checksum is compared. */
static bool archive_read(zip_file_t *f, unsigned char *bytes, size_t size)
{
    size_t have = 0;
    unsigned char more = 0;

    while (have < size) {
        zip_int64_t count = zip_fread(f, bytes + have, size - have);

        if (count <= 0) {
            return false;
        }
        have += (size_t)count;
    }
    return zip_fread(f, &more, 1) == 0;
}

/* The bytes of a member, on the heap; NULL with PERP_OK when it is missing. */
perp_status perp_archive_member(const perp_archive *z, const char *name,
                                unsigned char **bytes, size_t *size, perp_error *err)
{
    zip_int64_t index = zip_name_locate(z->zip, name, 0);
    zip_file_t *f = NULL;
    perp_status status = PERP_OK;

    *bytes = NULL;
    *size = 0;
    if (index < 0) {
        return PERP_OK;
    }
    TRY(archive_size(z, name, (zip_uint64_t)index, size, err));
    *bytes = malloc(*size + 1);
    if (!*bytes) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for member %s", z->file,
                         name);
    }
    f = zip_fopen_index(z->zip, (zip_uint64_t)index, 0);
    if (!f || !archive_read(f, *bytes, *size)) {
        status = perp_fail(err, PERP_ERR_FORMAT, "%s: member %s is damaged: %s", z->file,
                           name, f ? zip_file_strerror(f) : zip_strerror(z->zip));
        free(*bytes);
        *bytes = NULL;
    }
    if (f) {
        zip_fclose(f);
    }
    return status;
}

perp_status perp_archive_new(perp_archive **out, const char *file, perp_error *err)
{
    zip_error_t fault;
    perp_archive *z = calloc(1, sizeof *z);

    *out = NULL;
    if (!z) {
        return archive_no_memory(file, err);
    }
    z->file = file;
    zip_error_init(&fault);
    z->made = zip_source_buffer_create(NULL, 0, 0, &fault);
    if (z->made) {
        zip_source_keep(z->made); /* for reading it after the archive was closed */
        z->zip = zip_open_from_source(z->made, ZIP_TRUNCATE, &fault);
        if (!z->zip) {
            zip_source_free(z->made);
        }
    }
    zip_error_fini(&fault);
    if (!z->zip) {
        perp_archive_free(z);
        return archive_no_memory(file, err);
    }
    *out = z;
    return PERP_OK;
}

perp_status perp_archive_add(perp_archive *z, const char *name, unsigned char *bytes,
                             size_t size, perp_error *err)
{
    enum { FIRST_DAY = 1 << 5 | 1 };
    archive_bytes *member = bytes ? malloc(sizeof *member) : NULL;
    zip_source_t *source = NULL;
    zip_int64_t index = -1;

    if (!member) {
        free(bytes);
        return archive_no_memory(z->file, err);
    }
    *member = (archive_bytes){z->members, bytes};
    z->members = member;
    source = zip_source_buffer(z->zip, bytes, size, 0);
    if (!source) {
        return archive_no_memory(z->file, err);
    }
    index = zip_file_add(z->zip, name, source, 0);
    if (index < 0) {
        zip_source_free(source);
        return archive_no_memory(z->file, err);
    }
    return zip_set_file_compression(z->zip, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0 &&
                   zip_file_set_dostime(z->zip, (zip_uint64_t)index, 0, FIRST_DAY, 0) == 0
               ? PERP_OK
               : archive_no_memory(z->file, err);
}

/* The bytes of a finished archive. */
static bool archive_copy(zip_source_t *archive, FILE *f)
{
    char bytes[4096];
    zip_int64_t count = 0;

    if (zip_source_open(archive) != 0) {
        return false;
    }
    while ((count = zip_source_read(archive, bytes, sizeof bytes)) > 0) {
        fwrite(bytes, 1, (size_t)count, f); /* the caller checks for write errors */
    }
    zip_source_close(archive);
    return count == 0;
}

perp_status perp_archive_write(perp_archive *z, FILE *f, perp_error *err)
{
    if (zip_close(z->zip) != 0) {
        return archive_no_memory(z->file, err);
    }
    z->zip = NULL;
    return archive_copy(z->made, f) ? PERP_OK : archive_no_memory(z->file, err);
}
