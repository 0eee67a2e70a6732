/* SPDX-License-Identifier: Apache-2.0
 * formats/npy.c: NumPy arrays, versions 1 to 3. Arrays are written little-endian, in version 1, with a header of 128 bytes, after which the data start at a multiple of 64. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "npy.h"

enum { NPY_MAGIC = 6, NPY_HEADER = 128 };

static const struct {
    const char *text;
    size_t size;
} npy_types[] = {
#define NPY_TYPE(name, text, size) {text, size},
    PERP_NPY_LIST(NPY_TYPE)
#undef NPY_TYPE
};

enum { NPY_TYPES = sizeof npy_types / sizeof npy_types[0] };

/* What follows 'key': in the text of the header, or NULL. */
static const char *npy_value(const char *header, const char *key)
{
    char quoted[32];
    const char *at = NULL;

    snprintf(quoted, sizeof quoted, "'%s':", key);
    at = strstr(header, quoted);
    if (!at) {
        return NULL;
    }
    at += strlen(quoted);
    return at + strspn(at, " ");
}

/* (12, 12) or (4,) or (): the sizes and their product. */
static bool npy_shape(const char *text, perp_npy *array)
{
    array->count = 1;
    array->dims = 0;
    if (!text || *text++ != '(') {
        return false;
    }
    for (text += strspn(text, " "); *text != ')'; text += strspn(text, " ")) {
        size_t size = 0;

        if (array->dims == PERP_NPY_DIMENSIONS || *text < '0' || *text > '9') {
            return false;
        }
        for (; *text >= '0' && *text <= '9'; text++) {
            if (!perp_mul(size, 10, &size) ||
                __builtin_add_overflow(size, (size_t)(*text - '0'), &size)) {
                return false;
            }
        }
        array->shape[array->dims++] = size;
        if (!perp_mul(array->count, size, &array->count)) {
            return false;
        }
        text += strspn(text, " ");
        if (*text == ',') {
            text++;
        } else if (*text != ')') {
            return false;
        }
    }
    return true;
}

/* '<f8': the order of the bytes, then the type. */
static bool npy_type(const char *descr, perp_npy *array)
{
    for (int k = 0; descr && k < NPY_TYPES; k++) {
        const char *text = npy_types[k].text;
        const size_t length = strlen(text);
        const bool big = text[0] == '<' && descr[0] == '\'' && descr[1] == '>';

        if (descr[0] == '\'' && (big || descr[1] == text[0]) &&
            strncmp(descr + 2, text + 1, length - 1) == 0 && descr[length + 1] == '\'') {
            array->type = (perp_npy_type)k;
            array->big_endian = big;
            return true;
        }
    }
    return false;
}

/* The characters of a type: a text in quotes, or the list of a structured one. */
static int npy_type_length(const char *descr)
{
    const char *end = descr[0] == '[' ? strstr(descr, ")]") : strchr(descr + 1, descr[0]);

    return (int)(end ? (size_t)(end - descr) + (descr[0] == '[' ? 2 : 1) : strlen(descr));
}

static perp_status npy_header(const char *place, const char *header, perp_npy *array,
                              perp_error *err)
{
    const char *descr = npy_value(header, "descr");
    const char *order = npy_value(header, "fortran_order");

    if (!npy_type(descr, array)) {
        return perp_fail(
            err, PERP_ERR_FORMAT,
            "%s: numbers are %.*s, expected floating point numbers of 2, 4 or "
            "8 bytes, integers or bool",
            place, descr ? npy_type_length(descr) : 10, descr ? descr : "of no type");
    }
    if (!order || (strncmp(order, "True", 4) != 0 && strncmp(order, "False", 5) != 0)) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: fortran_order is neither True nor False", place);
    }
    array->by_columns = order[0] == 'T';
    if (!npy_shape(npy_value(header, "shape"), array)) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: its shape is not a list of at most 4 sizes", place);
    }
    return PERP_OK;
}

/* The bytes of number k, the highest first. */
static uint64_t npy_bits(const perp_npy *array, size_t k)
{
    const size_t size = npy_types[array->type].size;
    const unsigned char *b = array->data + size * k;
    uint64_t bits = 0;

    for (size_t i = 0; i < size; i++) {
        bits = bits << 8 | b[array->big_endian ? i : size - 1 - i];
    }
    return bits;
}

/* An integer, extended to 64 bits with its sign where it has one. */
static uint64_t npy_integer(const perp_npy *array, size_t k)
{
    const uint64_t bits = npy_bits(array, k);

    switch (array->type) {
    case PERP_NPY_INT:
        return (uint64_t)(int32_t)(uint32_t)bits;
    case PERP_NPY_SHORT:
        return (uint64_t)(int16_t)(uint16_t)bits;
    case PERP_NPY_BYTE:
        return (uint64_t)(int8_t)(uint8_t)bits;
    case PERP_NPY_BOOL:
        return bits != 0;
    default:
        return bits;
    }
}

/* Integers that would be rounded, as an identifier is, are no numbers of a problem. */
static perp_status npy_check_integers(const perp_npy *array, const char *place,
                                      perp_error *err)
{
    const bool natural = array->type == PERP_NPY_ULONG;

    for (size_t k = 0; (natural || array->type == PERP_NPY_LONG) && k < array->count;
         k++) {
        char digits[PERP_NUMBER_LENGTH];

        if (!perp_number_holds_word(npy_bits(array, k), !natural, digits)) {
            return perp_fail(err, PERP_ERR_DATA,
                             "%s[%zu] is %s, expected an integer that a double holds, "
                             "as all up to 2^53",
                             place, k, digits);
        }
    }
    return PERP_OK;
}

perp_status perp_npy_parse(perp_npy *array, const unsigned char *b, size_t length,
                           const char *place, perp_error *err)
{
    size_t start = 0;
    size_t head = 0;
    size_t bytes = 0;
    char *header = NULL;
    perp_status status = PERP_OK;

    memset(array, 0, sizeof *array);
    if (length < NPY_MAGIC + 4 || memcmp(b, "\x93NUMPY", NPY_MAGIC) != 0 || b[6] < 1 ||
        b[6] > 3 || (b[6] > 1 && length < NPY_MAGIC + 6)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: not a NumPy array of version 1 to 3",
                         place);
    }
    start = b[6] == 1 ? NPY_MAGIC + 4 : NPY_MAGIC + 6;
    head = b[8] | (size_t)b[9] << 8;
    if (b[6] > 1) {
        head |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    }
    if (head > length - start) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: its header is cut off", place);
    }
    header = strndup((const char *)b + start, head);
    if (!header) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a header", place);
    }
    status = npy_header(place, header, array, err);
    free(header);
    if (status == PERP_OK &&
        (!perp_mul(array->count, npy_types[array->type].size, &bytes) ||
         bytes != length - start - head)) {
        status = perp_fail(
            err, PERP_ERR_FORMAT, "%s: it holds %zu bytes, expected %zu numbers of %zu",
            place, length - start - head, array->count, npy_types[array->type].size);
    }
    array->data = b + start + head;
    return status == PERP_OK ? npy_check_integers(array, place, err) : status;
}

/* A number of 16 bits: sign, 5 bits of exponent, 10 of the significand. */
static double npy_half(unsigned bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const int digits = (int)(bits & 1023);
    const double size = exponent == 31  ? (digits ? (double)NAN : (double)INFINITY)
                        : exponent == 0 ? ldexp(digits, -24)
                                        : ldexp(digits + 1024, exponent - 25);

    return bits >> 15 ? -size : size;
}

double perp_npy_real(const perp_npy *array, size_t k)
{
    const uint64_t bits = npy_bits(array, k);
    uint32_t half = 0;
    float single = 0.0F;
    double real = 0.0;

    switch (array->type) {
    case PERP_NPY_REAL:
        memcpy(&real, &bits, sizeof real);
        return real;
    case PERP_NPY_SINGLE:
        half = (uint32_t)bits;
        memcpy(&single, &half, sizeof single);
        return single;
    case PERP_NPY_HALF:
        return npy_half((unsigned)bits);
    case PERP_NPY_ULONG:
        return (double)bits;
    default:
        return (double)(int64_t)npy_integer(array, k);
    }
}

/* The numbers are in the file as they are in memory. */
static bool npy_is_plain(const perp_npy *array)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !array->big_endian &&
           array->type == PERP_NPY_REAL;
}

perp_status perp_npy_reals(const perp_npy *array, bool infinite, double *x,
                           const char *place, perp_error *err)
{
    const bool plain = npy_is_plain(array);

    if (plain && array->count > 0) {
        memcpy(x, array->data, array->count * sizeof *x);
    }
    for (size_t i = 0; i < array->count; i++) {
        x[i] = plain ? x[i] : perp_npy_real(array, i);
        if (infinite ? isnan(x[i]) : !isfinite(x[i])) {
            return perp_fail(err, PERP_ERR_DATA, "%s[%zu] is %g, expected a %snumber",
                             place, i, x[i], infinite ? "" : "finite ");
        }
    }
    return PERP_OK;
}

/* Columns first to first + count of A, from the array by rows; false where a number is not
 * finite. A few at a time, so that both are read along lines of the cache. */
static bool npy_columns(perp_operator *A, const perp_npy *array, size_t first,
                        size_t count)
{
    const bool plain = npy_is_plain(array);
    bool finite = true;

    for (size_t i = 0; i < A->rows; i++) {
        for (size_t j = first; j < first + count; j++) {
            const size_t k = array->by_columns ? i + j * A->rows : i * A->cols + j;
            double x = 0.0;

            if (plain) {
                memcpy(&x, array->data + k * sizeof x, sizeof x);
            } else {
                x = perp_npy_real(array, k);
            }
            A->x[i + j * A->ld] = x;
            finite = finite && isfinite(x);
        }
    }
    return finite;
}

perp_status perp_npy_dense(const perp_npy *array, perp_operator **A, const char *place,
                           perp_error *err)
{
    enum { TOGETHER = 16 };
    const size_t rows = array->shape[0];
    const size_t cols = array->dims > 1 ? array->shape[1] : 1;
    size_t i = 0;
    size_t j = 0;
    bool finite = true;
    perp_status status = perp_operator_new_dense(A, rows, cols, err);

    for (size_t first = 0; status == PERP_OK && first < cols; first += TOGETHER) {
        const size_t count = cols - first < TOGETHER ? cols - first : TOGETHER;

        finite = npy_columns(*A, array, first, count) && finite;
    }
    if (!finite && perp_operator_find_nonfinite(*A, &i, &j)) {
        status =
            perp_fail(err, PERP_ERR_DATA, "%s[%zu, %zu] is %g, expected a finite number",
                      place, i, j, perp_operator_entry(*A, i, j));
    }
    return status;
}

/* The number at `from`, little-endian. */
static void npy_put(unsigned char *to, const unsigned char *from, size_t size)
{
    uint64_t eight = 0;
    uint32_t four = 0;

    if (size == 8) {
        memcpy(&eight, from, size);
    } else if (size == 4) {
        memcpy(&four, from, size);
        eight = four;
    } else {
        memcpy(to, from, size); /* a text */
        return;
    }
    for (size_t i = 0; i < size; i++) {
        to[i] = (unsigned char)(eight >> 8 * i & 0xff);
    }
}

unsigned char *perp_npy_bytes(perp_npy_type type, const void *numbers, size_t dims,
                              const size_t *shape, size_t *size)
{
    const size_t each = npy_types[type].size;
    const size_t rows = dims > 0 ? shape[0] : 1;
    const size_t cols = dims > 1 ? shape[1] : 1;
    const unsigned char *from = numbers;
    char sizes[64] = "()";
    char text[NPY_HEADER];
    size_t count = 0;
    size_t data = 0;
    unsigned char *bytes = NULL;

    if (!perp_mul(rows, cols, &count) || !perp_mul(count, each, &data) ||
        data > SIZE_MAX - NPY_HEADER) {
        return NULL;
    }
    bytes = malloc(NPY_HEADER + data);
    if (!bytes) {
        return NULL;
    }
    if (dims == 1) {
        snprintf(sizes, sizeof sizes, "(%zu,)", rows);
    } else if (dims == 2) {
        snprintf(sizes, sizeof sizes, "(%zu, %zu)", rows, cols);
    }
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
             npy_types[type].text, sizes);
    memset(bytes, ' ', NPY_HEADER);
    memcpy(bytes, "\x93NUMPY\x01", 7);
    bytes[7] = 0;
    bytes[8] = NPY_HEADER - 10;
    bytes[9] = 0;
    memcpy(bytes + 10, text, strlen(text));
    bytes[NPY_HEADER - 1] = '\n';
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && data > 0) {
        memcpy(bytes + NPY_HEADER, from, data);
    } else {
        for (size_t k = 0; k < count; k++) {
            npy_put(bytes + NPY_HEADER + each * k, from + each * k, each);
        }
    }
    *size = NPY_HEADER + data;
    return bytes;
}
