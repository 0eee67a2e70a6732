/* SPDX-License-Identifier: Apache-2.0
 * formats/mat_check.c: whether the elements of a MATLAB file follow each other to its end, and
 * hold as many numbers as the sizes of their variables say, also inside compressed elements, cells
 * and structures. matio does not check this: it returns memory that it has not written. */
#include <config.h>

#include <matio.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

#include "mat.h"

enum { MAT_HEADER = 128, MAT_RANK = 8, MAT_DEPTH = 64, MAT_DEFLATE = 1032 };

/* Bytes that elements fill; `swapped`: their integers are of the other byte order. */
typedef struct mat_span {
    const unsigned char *at;
    const unsigned char *end;
    bool swapped;
} mat_span;

/* An element: its type and its bytes. */
typedef struct mat_element {
    uint32_t type;
    mat_span bytes;
    size_t size;
} mat_element;

static uint32_t mat_word(const unsigned char *b, bool swapped)
{
    const uint32_t low = (uint32_t)b[0] | (uint32_t)b[1] << 8;
    const uint32_t high = (uint32_t)b[2] | (uint32_t)b[3] << 8;

    return swapped
               ? (low & 0xff) << 24 | (low >> 8) << 16 | (high & 0xff) << 8 | high >> 8
               : low | high << 16;
}

/* The element that *in begins with, which moves behind it; false where it does not end in it. */
static bool mat_next(mat_span *in, mat_element *e)
{
    const size_t left = (size_t)(in->end - in->at);
    const unsigned char *data = in->at + 8;
    size_t padded = 0;

    if (left < 8) {
        return false;
    }
    e->type = mat_word(in->at, in->swapped);
    e->size = mat_word(in->at + 4, in->swapped);
    if (e->type >> 16) { /* a small element, of at most four bytes */
        e->size = e->type >> 16;
        e->type &= 0xffff;
        data = in->at + 4;
        if (e->size > 4) {
            return false;
        }
    } else {
        padded = e->type == MAT_T_COMPRESSED ? e->size : (e->size + 7) / 8 * 8;
        if (padded > left - 8) {
            return false;
        }
    }
    e->bytes = (mat_span){data, data + e->size, in->swapped};
    in->at += 8 + padded;
    return true;
}

/* Bytes of one number; 0: no type of numbers. */
static size_t mat_type_size(uint32_t type)
{
    static const unsigned char sizes[] = {
        [MAT_T_INT8] = 1,  [MAT_T_UINT8] = 1,  [MAT_T_INT16] = 2,  [MAT_T_UINT16] = 2,
        [MAT_T_INT32] = 4, [MAT_T_UINT32] = 4, [MAT_T_SINGLE] = 4, [MAT_T_DOUBLE] = 8,
        [MAT_T_INT64] = 8, [MAT_T_UINT64] = 8, [MAT_T_UTF8] = 1,   [MAT_T_UTF16] = 2,
        [MAT_T_UTF32] = 4,
    };

    return type < sizeof sizes ? sizes[type] : 0;
}

static bool mat_variable_is_sound(mat_span in, size_t depth);

/* `count` variables, and nothing behind them. */
static bool mat_list_is_sound(mat_span in, size_t count, size_t depth)
{
    mat_element e;

    for (size_t k = 0; k < count; k++) {
        if (!mat_next(&in, &e) || e.type != MAT_T_MATRIX ||
            !mat_variable_is_sound(e.bytes, depth + 1)) {
            return false;
        }
    }
    return in.at == in.end;
}

/* The length of a name, the names, then a variable for each field of each of `count` structures. */
static bool mat_fields_are_sound(mat_span in, size_t count, size_t depth)
{
    mat_element length;
    mat_element names;
    size_t each = 0;

    if (!mat_next(&in, &length) || length.size != 4 || !mat_next(&in, &names)) {
        return false;
    }
    each = mat_word(length.bytes.at, in.swapped);
    return each > 0 && names.size % each == 0 &&
           perp_mul(count, names.size / each, &count) &&
           mat_list_is_sound(in, count, depth);
}

/* Numbers or characters, as many as the sizes say; some characters take several bytes. */
static bool mat_numbers_are_sound(mat_span in, size_t count, bool text)
{
    mat_element part;
    size_t each = 0;

    if (!mat_next(&in, &part)) {
        return false;
    }
    each = mat_type_size(part.type);
    return text ? part.size >= count : each > 0 && part.size / each == count;
}

/* Flags, sizes, name and contents of a variable. An empty one may have none of these. */
static bool mat_variable_is_sound(mat_span in, size_t depth)
{
    mat_element flags;
    mat_element sizes;
    mat_element name;
    size_t count = 1;
    uint32_t class = 0;

    if (in.at == in.end) {
        return depth > 0;
    }
    if (depth > MAT_DEPTH || !mat_next(&in, &flags) || flags.size < 8 ||
        !mat_next(&in, &sizes) || sizes.size % 4 != 0 ||
        sizes.size > sizeof(uint32_t[MAT_RANK]) || !mat_next(&in, &name)) {
        return false;
    }
    for (size_t k = 0; k < sizes.size / 4; k++) {
        if (!perp_mul(count, mat_word(sizes.bytes.at + 4 * k, in.swapped), &count)) {
            return false;
        }
    }
    class = mat_word(flags.bytes.at, in.swapped) & 0xff;
    switch (class) {
    case MAT_C_CELL:
        return mat_list_is_sound(in, count, depth);
    case MAT_C_OBJECT: /* the name of its class stands before its fields */
        return mat_next(&in, &name) && mat_fields_are_sound(in, count, depth);
    case MAT_C_STRUCT:
        return mat_fields_are_sound(in, count, depth);
    case MAT_C_SPARSE: /* matio takes its counts from the elements */
        return mat_next(&in, &name);
    default:
        return (class == MAT_C_CHAR ||
                (class >= MAT_C_DOUBLE && class <= MAT_C_UINT64)) &&
               mat_numbers_are_sound(in, count, class == MAT_C_CHAR);
    }
}

/* Unpack exactly `size` bytes; false: there are fewer. */
static bool mat_unpack(z_stream *z, unsigned char *bytes, size_t size)
{
    int end = Z_OK;

    z->next_out = bytes;
    z->avail_out = (uInt)size;
    while (z->avail_out > 0 && end == Z_OK) {
        end = inflate(z, Z_NO_FLUSH);
    }
    return z->avail_out == 0;
}

/* The one variable that a compressed element holds. */
static perp_status mat_packed_is_sound(const mat_element *packed, bool *sound)
{
    const bool swapped = packed->bytes.swapped;
    z_stream z = {.next_in = packed->bytes.at, .avail_in = (uInt)packed->size};
    unsigned char head[8];
    size_t size = 0;
    perp_status status = PERP_OK;

    *sound = false;
    if (inflateInit(&z) != Z_OK) {
        return PERP_ERR_MEMORY;
    }
    if (mat_unpack(&z, head, sizeof head) && mat_word(head, swapped) == MAT_T_MATRIX) {
        size = mat_word(head + 4, swapped);
    }
    if (size > 0 && size / MAT_DEFLATE <= packed->size) {
        unsigned char *bytes = malloc(size);

        status = bytes ? PERP_OK : PERP_ERR_MEMORY;
        *sound = bytes && mat_unpack(&z, bytes, size) &&
                 mat_variable_is_sound((mat_span){bytes, bytes + size, swapped}, 0);
        free(bytes);
    }
    inflateEnd(&z);
    return status;
}

perp_status perp_mat_check(const perp_source *from, perp_error *err)
{
    const unsigned char *bytes = (const unsigned char *)from->bytes;
    bool sound = from->size >= MAT_HEADER;
    perp_status status = PERP_OK;
    mat_span in = {NULL, NULL, false};
    mat_element e;

    if (sound) {
        in = (mat_span){bytes + MAT_HEADER, bytes + from->size,
                        memcmp(bytes + MAT_HEADER - 2, "MI", 2) == 0};
        sound = in.swapped || memcmp(bytes + MAT_HEADER - 2, "IM", 2) == 0;
    }
    while (sound && status == PERP_OK && in.at < in.end) {
        sound = mat_next(&in, &e);
        if (sound && e.type == MAT_T_COMPRESSED) {
            status = mat_packed_is_sound(&e, &sound);
        } else if (sound) {
            sound = e.type == MAT_T_MATRIX && mat_variable_is_sound(e.bytes, 0);
        }
    }
    if (status != PERP_OK) {
        return perp_fail(err, status, "%s: no memory for what is compressed in it",
                         from->name);
    }
    return sound ? PERP_OK
                 : perp_fail(err, PERP_ERR_FORMAT,
                             "%s: cut off, or not a list of variables of their sizes",
                             from->name);
}
