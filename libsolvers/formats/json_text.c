/* SPDX-License-Identifier: Apache-2.0
 * formats/json_text.c: arrays of numbers in a JSON text, read without a document of them. The
 * text around the arrays is checked by the parser of documents, with the lines of the file;
 * what is between their brackets is checked here. NaN is refused; Infinity and -Infinity,
 * which Python writes, are read as bounds though they are no JSON. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "json.h"

enum { SPANS = 1100 }; /* the arrays of a problem with 1000 guesses */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at)) {
        at++;
    }
    return at;
}

/* Behind the string that begins at `at`. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        at += *at == '\\';
    }
    return at < end ? at + 1 : end;
}

/* Behind the array or object that begins at `at`. */
static const char *skip_brackets(const char *at, const char *end)
{
    size_t depth = 0;

    while (at < end) {
        const char c = *at;

        if (c == '"') {
            at = skip_string(at, end);
            continue;
        }
        at++;
        depth += c == '[' || c == '{';
        depth -= c == ']' || c == '}';
        if (depth == 0) {
            break;
        }
    }
    return at;
}

static size_t count_lines(const char *from, const char *to)
{
    size_t lines = 0;

    while ((from = memchr(from, '\n', (size_t)(to - from))) != NULL) {
        lines++;
        from++;
    }
    return lines;
}

/* The name of a member that stays text. */
static bool is_named(const char *name, size_t length, const char *const *names)
{
    for (; *names; names++) {
        const size_t known = strlen(*names);

        if ((known == length || (known < length && (*names)[known - 1] == '_')) &&
            strncmp(name, *names, known) == 0) {
            return true;
        }
    }
    return false;
}

/* The state of the division of an object. */
typedef struct divider {
    perp_json_object *o;
    const char *const *names;
    const char *kept; /* the text before it is in `rest` */
    size_t line;      /* of `kept` */
    char *rest;
    size_t length;
} divider;

static void divider_keep(divider *d, const char *to)
{
    memcpy(d->rest + d->length, d->kept, (size_t)(to - d->kept));
    d->length += (size_t)(to - d->kept);
    d->line += count_lines(d->kept, to);
    d->kept = to;
}

/* The member with this name, which ends at `at`, if its value stays text: behind the value;
 * else `at`. The rest gets a 0 and the line breaks of the value. */
static const char *divider_member(divider *d, const char *name, const char *at,
                                  const char *end)
{
    const size_t length = (size_t)(at - name) - 2;
    const char *value = skip_blanks(at, end);
    perp_json_span *span = &d->o->spans[d->o->count];
    size_t lines = 0;

    if (value == end || *value != ':' || length >= sizeof span->name ||
        d->o->count == SPANS || !is_named(name + 1, length, d->names)) {
        return at;
    }
    value = skip_blanks(value + 1, end);
    if (value == end || (*value != '[' && *value != '{')) {
        return at;
    }
    divider_keep(d, value);
    *span =
        (perp_json_span){.at = value, .end = skip_brackets(value, end), .line = d->line};
    memcpy(span->name, name + 1, length);
    d->o->count++;
    lines = count_lines(value, span->end);
    d->rest[d->length++] = '0';
    memset(d->rest + d->length, '\n', lines);
    d->length += lines;
    d->line += lines;
    d->kept = span->end;
    return span->end;
}

perp_status perp_json_divide(perp_json_object *o, const char *file,
                             const perp_json_span *text, const char *const *names,
                             perp_error *err)
{
    const size_t lines = text->line - 1;
    const size_t size = (size_t)(text->end - text->at);
    divider d = {.o = o, .names = names, .kept = text->at, .line = text->line};
    perp_source from = {.name = file, .memory = true};
    size_t depth = 0;
    perp_status status = PERP_OK;

    *o = (perp_json_object){.file = file, .spans = malloc(SPANS * sizeof *o->spans)};
    d.rest = malloc(lines + size + 1);
    if (!d.rest || !o->spans) {
        free(d.rest);
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for its text", file);
    }
    memset(d.rest, '\n', lines); /* so that messages name the line of the file */
    d.length = lines;
    for (const char *at = text->at; at < text->end;) {
        const char c = *at;
        const char *name = at;

        at = c == '"' ? skip_string(at, text->end) : at + 1;
        if (c == '"' && depth == 1 && at - name >= 2) {
            at = divider_member(&d, name, at, text->end);
        }
        depth += c == '[' || c == '{';
        depth -= (c == ']' || c == '}') && depth > 0;
    }
    divider_keep(&d, text->end);
    from.bytes = d.rest;
    from.size = d.length;
    status = perp_json_load(&o->rest, &from, err);
    free(d.rest);
    return status;
}

void perp_json_object_free(perp_json_object *o)
{
    free(o->spans);
    json_decref(o->rest);
    *o = (perp_json_object){.count = 0};
}

const perp_json_span *perp_json_span_find(const perp_json_object *o, const char *name)
{
    for (size_t k = 0; k < o->count; k++) {
        if (strcmp(o->spans[k].name, name) == 0) {
            return &o->spans[k];
        }
    }
    return NULL;
}

/* A place in a span. */
typedef struct cursor {
    const perp_json_object *o;
    const perp_json_span *span;
    const char *at;
    double missing; /* what null is; NaN: refused */
    bool infinite;
    perp_error *err;
} cursor;

static cursor cursor_at(const perp_json_object *o, const perp_json_span *span,
                        bool infinite, perp_error *err)
{
    return (cursor){.o = o,
                    .span = span,
                    .at = span->at,
                    .infinite = infinite,
                    .missing = !infinite                       ? NAN
                               : strcmp(span->name, "lo") == 0 ? -INFINITY
                                                               : INFINITY,
                    .err = err};
}

static perp_status cursor_refuse(const cursor *c, perp_status status,
                                 const char *expected)
{
    const size_t line = c->span->line + count_lines(c->span->at, c->at);
    char found[24];
    size_t length = 0;

    while (length < sizeof found - 1 && c->at + length < c->span->end) {
        const char a = c->at[length];

        if (length > 0 && (a == ',' || a == ']' || is_blank(a))) {
            break;
        }
        found[length++] = a < 0x20 || a > 0x7e ? '?' : a;
    }
    found[length] = '\0';
    return perp_fail(c->err, status, "%s:%zu: %s: found %s, expected %s", c->o->file,
                     line, c->span->name, found[0] ? found : "its end", expected);
}

/* Passes blanks and this character, if it is there. */
static bool cursor_pass(cursor *c, char wanted)
{
    c->at = skip_blanks(c->at, c->span->end);
    if (c->at < c->span->end && *c->at == wanted) {
        c->at++;
        return true;
    }
    return false;
}

/* A number as JSON has it: no sign +, no zeros before it, digits on both sides of a point. */
static const char *plain_number(const char *at, const char *end, double *x)
{
    const char *stop = at;
    const char *digits = at + (at < end && *at == '-');

    if (digits == end || *digits < '0' || *digits > '9' ||
        (*digits == '0' && digits + 1 < end && digits[1] >= '0' && digits[1] <= '9')) {
        return at;
    }
    *x = perp_number_read(at, end, &stop);
    for (const char *point = digits; point < stop; point++) {
        if (*point == '.') {
            return point + 1 < stop && point[1] >= '0' && point[1] <= '9' ? stop : at;
        }
    }
    return stop;
}

/* "inf", "-inf", Infinity, -Infinity, null; NaN: none of them. Passes it. */
static double cursor_word(cursor *c)
{
    const struct {
        const char *word;
        double value;
    } words[] = {{"\"inf\"", INFINITY},
                 {"\"-inf\"", -INFINITY},
                 {"Infinity", INFINITY},
                 {"-Infinity", -INFINITY},
                 {"null", c->missing}};

    for (size_t k = 0; c->infinite && k < sizeof words / sizeof *words; k++) {
        const size_t length = strlen(words[k].word);

        if ((size_t)(c->span->end - c->at) >= length &&
            strncmp(c->at, words[k].word, length) == 0) {
            c->at += length;
            return words[k].value;
        }
    }
    return NAN;
}

static perp_status cursor_number(cursor *c, double *x)
{
    const char *stop = NULL;

    c->at = skip_blanks(c->at, c->span->end);
    stop = plain_number(c->at, c->span->end, x);
    if (stop == c->at) {
        *x = cursor_word(c);
        return isnan(*x) ? cursor_refuse(c, PERP_ERR_FORMAT, "a number") : PERP_OK;
    }
    if (isinf(*x)) { /* 1e999 */
        return cursor_refuse(c, PERP_ERR_DATA, "a finite number");
    }
    c->at = stop;
    return PERP_OK;
}

/* "[1, 2, 3]": at most `room` numbers. */
static perp_status cursor_array(cursor *c, double *x, size_t room, size_t *count)
{
    perp_status status = PERP_OK;

    *count = 0;
    if (!cursor_pass(c, '[')) {
        return cursor_refuse(c, PERP_ERR_FORMAT, "an array of numbers");
    }
    if (cursor_pass(c, ']')) {
        return PERP_OK;
    }
    for (;;) {
        if (*count == room) {
            return cursor_refuse(c, PERP_ERR_DATA, "the end of the row");
        }
        status = cursor_number(c, &x[(*count)++]);
        if (status != PERP_OK || cursor_pass(c, ']')) {
            return status;
        }
        if (!cursor_pass(c, ',')) {
            return cursor_refuse(c, PERP_ERR_FORMAT, "a comma or ]");
        }
    }
}

/* What numbers an array can hold at most: a comma behind each but the last. */
static size_t commas_ahead(const char *at, const char *end)
{
    size_t count = 1;

    for (; at < end && *at != ']'; at++) {
        count += *at == ',';
    }
    return count;
}

perp_status perp_json_numbers(const perp_json_object *o, const perp_json_span *span,
                              bool infinite, double **x, size_t *count, perp_error *err)
{
    cursor c = cursor_at(o, span, infinite, err);
    const size_t room = commas_ahead(span->at, span->end);
    perp_status status = PERP_OK;

    *x = perp_reals_new(room);
    if (!*x) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %s", o->file,
                         span->name);
    }
    status = cursor_array(&c, *x, room, count);
    if (status != PERP_OK) {
        free(*x);
        *x = NULL;
    }
    return status;
}

/* Each row, into the columns of A. */
static perp_status cursor_rows(cursor *c, perp_operator *A, double *row)
{
    perp_status status = PERP_OK;

    for (size_t i = 0; status == PERP_OK && i < A->rows; i++) {
        size_t count = 0;

        if (i > 0 && !cursor_pass(c, ',')) {
            return cursor_refuse(c, PERP_ERR_DATA, "another row");
        }
        status = cursor_array(c, row, A->cols, &count);
        if (status == PERP_OK && count < A->cols) {
            status = cursor_refuse(c, PERP_ERR_DATA, "rows of one length");
        }
        for (size_t j = 0; status == PERP_OK && j < A->cols; j++) {
            A->x[i + j * A->ld] = row[j];
        }
    }
    if (status == PERP_OK && !cursor_pass(c, ']')) {
        status = cursor_refuse(c, PERP_ERR_DATA, "the end of the rows");
    }
    return status;
}

/* Numbers in the first row. */
static size_t first_row(cursor c)
{
    if (!cursor_pass(&c, '[') || cursor_pass(&c, ']')) {
        return 0;
    }
    return commas_ahead(c.at, c.span->end);
}

perp_status perp_json_rows(const perp_json_object *o, const perp_json_span *span,
                           size_t rows, size_t cols, size_t most, perp_operator **A,
                           perp_error *err)
{
    cursor c = cursor_at(o, span, false, err);
    const size_t text = (size_t)(span->end - span->at);
    char place[PERP_ARRAY_PLACE];
    size_t size[2] = {rows, cols};
    size_t entries = 0;
    double *row = NULL;
    perp_status status = PERP_OK;

    *A = NULL;
    if (!cursor_pass(&c, '[')) {
        return cursor_refuse(&c, PERP_ERR_FORMAT, "an array of rows");
    }
    c.at = skip_blanks(c.at, span->end);
    if (rows > 0 && *c.at != '[' && *c.at != ']') {
        return cursor_refuse(&c, PERP_ERR_FORMAT, "an array of numbers");
    }
    size[1] = rows > 0 ? first_row(c) : cols == PERP_ARRAY_ANY ? 0 : cols;
    snprintf(place, sizeof place, "%.*s:%zu: %s", PERP_FILE_PATH_LENGTH - 30, o->file,
             span->line, span->name);
    status = perp_arrays_expect_matrix(place, size, rows, cols, most, err);
    if (status == PERP_OK &&
        (!perp_mul(size[0], size[1], &entries) || entries > text || rows > text)) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "%s has %zu characters, too few for %zu x %zu numbers", place,
                           text, size[0], size[1]);
    }
    if (status == PERP_OK) {
        status = perp_operator_new_dense(A, size[0], size[1], err);
    }
    if (status == PERP_OK) {
        row = perp_reals_new(size[1]);
        status = row ? cursor_rows(&c, *A, row)
                     : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", place);
    }
    if (status != PERP_OK) {
        perp_operator_free(*A);
        *A = NULL;
    }
    free(row);
    return status;
}
