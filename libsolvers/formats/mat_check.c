/* SPDX-License-Identifier: Apache-2.0
 * formats/mat_check.c: whether the elements of a MATLAB file follow each other to its end, and
 * hold as many numbers as the sizes of their variables say. matio does not ask: it returns
 * memory that it has not written. What is inside a compressed element is not looked at, nor
 * the elements of a file of the other byte order. */
#include <config.h>

#include <matio.h>
#include <string.h>

#include "mat.h"

enum { MAT_HEADER = 128, MAT_RANK = 8 };

/* An element: its type, and its bytes in the file. */
typedef struct mat_element {
    uint32_t type;
    const unsigned char *data;
    size_t size;
} mat_element;

static uint32_t mat_word(const unsigned char *b)
{
    uint32_t word = 0;

    memcpy(&word, b, sizeof word);
    return word;
}

/* The element at *at, which moves behind it; false where it does not end before `end`. */
static bool mat_next(const unsigned char **at, const unsigned char *end, mat_element *e)
{
    const size_t left = (size_t)(end - *at);
    uint32_t word = 0;
    size_t padded = 0;

    if (left < 8) {
        return false;
    }
    word = mat_word(*at);
    if (word >> 16) { /* a small element, of at most four bytes */
        *e = (mat_element){word & 0xffff, *at + 4, word >> 16};
        *at += 8;
        return e->size <= 4;
    }
    *e = (mat_element){word, *at + 8, mat_word(*at + 4)};
    padded = e->type == MAT_T_COMPRESSED ? e->size : (e->size + 7) / 8 * 8;
    if (padded > left - 8) {
        return false;
    }
    *at += 8 + padded;
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

/* Flags, sizes, name and numbers of a variable; of a full one as many as its sizes say. */
static bool mat_variable_is_sound(const mat_element *variable)
{
    const unsigned char *at = variable->data;
    const unsigned char *end = at + variable->size;
    mat_element flags;
    mat_element sizes;
    mat_element part;
    size_t count = 1;
    uint32_t class = 0;

    if (!mat_next(&at, end, &flags) || flags.size < 8 || !mat_next(&at, end, &sizes) ||
        sizes.size % 4 != 0 || sizes.size > sizeof(uint32_t[MAT_RANK]) ||
        !mat_next(&at, end, &part) || !mat_next(&at, end, &part)) {
        return false;
    }
    class = mat_word(flags.data) & 0xff;
    if (class != MAT_C_CHAR && (class < MAT_C_DOUBLE || class > MAT_C_UINT64)) {
        return class == MAT_C_SPARSE; /* matio takes its counts from the elements */
    }
    for (size_t k = 0; k < sizes.size / 4; k++) {
        if (!perp_mul(count, mat_word(sizes.data + 4 * k), &count)) {
            return false;
        }
    }
    if (class == MAT_C_CHAR) { /* some take several bytes */
        return part.size >= count;
    }
    return mat_type_size(part.type) > 0 && part.size / mat_type_size(part.type) == count;
}

bool perp_mat_is_sound(const unsigned char *bytes, size_t size)
{
    const unsigned char *at = bytes + MAT_HEADER;
    const unsigned char *end = bytes + size;
    mat_element e;

    if (size < MAT_HEADER) {
        return false;
    }
    if (memcmp(bytes + MAT_HEADER - 2, "IM", 2) != 0) {
        return true; /* of another byte order, or of none: matio decides */
    }
    while (at < end) {
        if (!mat_next(&at, end, &e) ||
            (e.type != MAT_T_COMPRESSED &&
             (e.type != MAT_T_MATRIX || !mat_variable_is_sound(&e)))) {
            return false;
        }
    }
    return true;
}
