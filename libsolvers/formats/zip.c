/* SPDX-License-Identifier: Apache-2.0
 * formats/zip.c: zip archives with stored members, as numpy.savez writes them.
 *
 * A member is a local header, its name and its bytes; the central directory at the end lists
 * them, and a record of 22 bytes after it says where it is. Sizes are taken from the
 * directory, since writers may leave them open in the local header. All numbers are little-
 * endian. The CRC is that of IEEE 802.3, polynomial 0xEDB88320 reflected. */
#include <config.h>

#include "zip.h"

enum {
    LOCAL_SIZE = 30,
    CENTRAL_SIZE = 46,
    END_SIZE = 22,
    COMMENT_MOST = 65535, /* after the end record */
};

static const uint32_t local_mark = 0x04034b50;
static const uint32_t central_mark = 0x02014b50;
static const uint32_t end_mark = 0x06054b50;
static const uint32_t zip64 = 0xffffffff; /* in place of a size: it is elsewhere */

static uint32_t get16(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

static uint32_t get32(const unsigned char *b)
{
    return get16(b) | get16(b + 2) << 16;
}

static unsigned char *put16(unsigned char *b, uint32_t x)
{
    *b++ = (unsigned char)(x & 0xff);
    *b++ = (unsigned char)(x >> 8 & 0xff);
    return b;
}

static unsigned char *put32(unsigned char *b, uint32_t x)
{
    return put16(put16(b, x & 0xffff), x >> 16);
}

/* Sixteen entries, four bits at a time: small enough to be made on the way. */
static uint32_t crc32_update(uint32_t crc, const unsigned char *b, size_t length)
{
    uint32_t table[16];

    for (uint32_t i = 0; i < 16; i++) {
        uint32_t c = i;

        for (int bit = 0; bit < 4; bit++) {
            c = c & 1 ? c >> 1 ^ 0xEDB88320U : c >> 1;
        }
        table[i] = c;
    }
    for (size_t i = 0; i < length; i++) {
        crc ^= b[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return crc;
}

static perp_status zip_fail(const perp_zip *zip, const char *what, perp_error *err)
{
    return perp_fail(err, PERP_ERR_FORMAT, "%s: %s", zip->file, what);
}

/* The end record: the last one whose comment fills the rest. */
static bool zip_end(const perp_zip *zip, size_t *end)
{
    for (size_t back = END_SIZE; back <= zip->length && back <= END_SIZE + COMMENT_MOST;
         back++) {
        const unsigned char *b = zip->bytes + (zip->length - back);

        if (get32(b) == end_mark && get16(b + 20) == back - END_SIZE) {
            *end = zip->length - back;
            return true;
        }
    }
    return false;
}

perp_status perp_zip_open(perp_zip *zip, const char *file, perp_error *err)
{
    size_t end = 0;
    char *bytes = NULL;
    perp_status status = PERP_OK;

    memset(zip, 0, sizeof *zip);
    zip->file = file;
    status = perp_file_slurp(file, &bytes, &zip->length, err);
    zip->bytes = (unsigned char *)bytes;
    if (status != PERP_OK) {
        return status;
    }
    if (zip->length < 4 || get32(zip->bytes) != local_mark) {
        status =
            zip_fail(zip, "it does not start as a zip archive, expected PK\\3\\4", err);
    } else if (!zip_end(zip, &end)) {
        status = zip_fail(
            zip, "the list of members at its end is missing, it may be cut off", err);
    } else {
        zip->count = get16(zip->bytes + end + 10);
        zip->directory = get32(zip->bytes + end + 16);
        if (zip->directory > end) {
            status = zip_fail(zip, "the list of members lies outside of the file", err);
        }
    }
    if (status != PERP_OK) {
        perp_zip_close(zip);
    }
    return status;
}

void perp_zip_close(perp_zip *zip)
{
    free(zip->bytes);
    memset(zip, 0, sizeof *zip);
}

/* The bytes that an entry of the directory stands for. */
static perp_status zip_content(const perp_zip *zip, const char *name,
                               const unsigned char *entry, const unsigned char **bytes,
                               size_t *length, perp_error *err)
{
    uint32_t method = get16(entry + 10);
    uint32_t size = get32(entry + 24);
    uint64_t start = get32(entry + 42);
    uint32_t crc = 0;

    if (get16(entry + 8) & 1) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: member %s is encrypted", zip->file,
                         name);
    }
    if (method != 0) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: member %s is compressed (method %u), expected it stored: "
                         "write it with numpy.savez, not savez_compressed",
                         zip->file, name, (unsigned)method);
    }
    if (size == zip64 || start == zip64 || get32(entry + 20) != size) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: member %s has no plain size below 4 GiB", zip->file, name);
    }
    if (start + LOCAL_SIZE > zip->length || get32(zip->bytes + start) != local_mark) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: member %s does not start where the list of members says",
                         zip->file, name);
    }
    start += LOCAL_SIZE + get16(zip->bytes + start + 26) + get16(zip->bytes + start + 28);
    if (start + size > zip->length) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: member %s is cut off", zip->file,
                         name);
    }
    crc = ~crc32_update(~UINT32_C(0), zip->bytes + start, size);
    if (crc != get32(entry + 16)) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: member %s has CRC %08x, expected %08x: it is damaged",
                         zip->file, name, (unsigned)crc, (unsigned)get32(entry + 16));
    }
    *bytes = zip->bytes + start;
    *length = size;
    return PERP_OK;
}

perp_status perp_zip_member(const perp_zip *zip, const char *name,
                            const unsigned char **bytes, size_t *length, perp_error *err)
{
    size_t at = zip->directory;
    size_t wanted = strlen(name);

    *bytes = NULL;
    *length = 0;
    for (size_t i = 0; i < zip->count; i++) {
        const unsigned char *entry = zip->bytes + at;
        size_t name_length = 0;
        size_t next = 0;

        if (zip->length - at < CENTRAL_SIZE || get32(entry) != central_mark) {
            return zip_fail(zip, "the list of members is damaged", err);
        }
        name_length = get16(entry + 28);
        next = CENTRAL_SIZE + name_length + get16(entry + 30) + get16(entry + 32);
        if (zip->length - at < next) {
            return zip_fail(zip, "the list of members is cut off", err);
        }
        if (name_length == wanted && memcmp(entry + CENTRAL_SIZE, name, wanted) == 0) {
            return zip_content(zip, name, entry, bytes, length, err);
        }
        at += next;
    }
    return PERP_OK;
}

/* The fields that a local header and an entry of the directory share: version 2.0, no flags,
 * stored, 1980-01-01 00:00, so that the same content gives the same bytes. */
static unsigned char *put_common(unsigned char *b, uint32_t crc, uint32_t length,
                                 size_t name_length)
{
    b = put16(b, 20);
    b = put16(b, 0);
    b = put16(b, 0);
    b = put16(b, 0);
    b = put16(b, 1 << 5 | 1);
    b = put32(b, crc);
    b = put32(b, length);
    b = put32(b, length);
    b = put16(b, (uint32_t)name_length);
    return put16(b, 0);
}

bool perp_zip_add(perp_zip_out *zip, const char *name, const void *head,
                  size_t head_length, const void *body, size_t body_length)
{
    unsigned char local[LOCAL_SIZE];
    size_t length = head_length + body_length;
    size_t name_length = strlen(name);
    size_t k = zip->count;

    if (k == PERP_ZIP_MEMBERS || name_length >= sizeof zip->member[k].name ||
        length < body_length || length >= zip64 || zip->at + length >= zip64) {
        return false;
    }
    snprintf(zip->member[k].name, sizeof zip->member[k].name, "%s", name);
    zip->member[k].crc =
        ~crc32_update(crc32_update(~UINT32_C(0), head, head_length), body, body_length);
    zip->member[k].length = (uint32_t)length;
    zip->member[k].start = (uint32_t)zip->at;
    put_common(put32(local, local_mark), zip->member[k].crc, zip->member[k].length,
               name_length);
    fwrite(local, 1, sizeof local, zip->f);
    fwrite(name, 1, name_length, zip->f);
    fwrite(head, 1, head_length, zip->f);
    if (body_length > 0) {
        fwrite(body, 1, body_length, zip->f); /* which takes no NULL */
    }
    zip->at += sizeof local + name_length + length;
    zip->count++;
    return true;
}

void perp_zip_finish(perp_zip_out *zip)
{
    unsigned char end[END_SIZE] = {0};
    uint64_t directory = zip->at;
    unsigned char *b = NULL;

    for (size_t k = 0; k < zip->count; k++) {
        unsigned char entry[CENTRAL_SIZE] = {0};
        size_t name_length = strlen(zip->member[k].name);

        b = put16(put32(entry, central_mark), 20);
        put_common(b, zip->member[k].crc, zip->member[k].length, name_length);
        put32(entry + 42, zip->member[k].start);
        fwrite(entry, 1, sizeof entry, zip->f);
        fwrite(zip->member[k].name, 1, name_length, zip->f);
        zip->at += sizeof entry + name_length;
    }
    b = put16(put32(end, end_mark), 0);
    b = put16(put16(put16(b, 0), (uint32_t)zip->count), (uint32_t)zip->count);
    put32(put32(b, (uint32_t)(zip->at - directory)), (uint32_t)directory);
    fwrite(end, 1, sizeof end, zip->f);
}
