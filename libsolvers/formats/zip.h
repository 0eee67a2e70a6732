/* SPDX-License-Identifier: Apache-2.0
 * formats/zip.h: archives whose members are stored as they are. Private. */
#ifndef PERP_FORMATS_ZIP_H
#define PERP_FORMATS_ZIP_H

#include "formats.h"

/** An archive in memory, to be freed by perp_zip_close. */
typedef struct perp_zip {
    const char *file; /**< borrowed, for messages */
    unsigned char *bytes;
    size_t length;
    size_t directory; /**< where the list of members starts */
    size_t count;     /**< members */
} perp_zip;

perp_status perp_zip_open(perp_zip *zip, const char *file, perp_error *err);
void perp_zip_close(perp_zip *zip);
/** The bytes of a member, checked by their CRC, borrowed from the archive; NULL with PERP_OK
 *  when there is no such member. */
perp_status perp_zip_member(const perp_zip *zip, const char *name,
                            const unsigned char **bytes, size_t *length, perp_error *err);

enum { PERP_ZIP_MEMBERS = 8 };

/** An archive being written: members in order, the same bytes for the same members. */
typedef struct perp_zip_out {
    FILE *f;
    uint64_t at; /**< bytes written */
    size_t count;
    struct {
        char name[32];
        uint32_t crc, length, start;
    } member[PERP_ZIP_MEMBERS];
} perp_zip_out;

/** Append a member made of a head and a body. False when a limit of the format is reached:
 *  4 GiB, PERP_ZIP_MEMBERS. */
bool perp_zip_add(perp_zip_out *zip, const char *name, const void *head,
                  size_t head_length, const void *body, size_t body_length);
/** The list of members, which ends the archive. */
void perp_zip_finish(perp_zip_out *zip);

#endif
