/* SPDX-License-Identifier: Apache-2.0
 * formats/ampl_nl_parse.c: the segments of a .nl file, text (g) or binary (b), of linear rows
 * [gay-2005]. Ten lines of text, then segments that begin with a letter:
 *
 *     C i      the constant and linear terms of row i, as an expression in Polish notation
 *     r, b     senses of the rows, bounds of the variables
 *     J i k    k entries of row i: variable, coefficient
 *     x k      starting values;  k, K, d, S are passed over
 *     O i, G i an objective, which must be constant
 *
 * The binary form has the same order, with letters and operators as bytes, integers of 32 bits and doubles. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ampl_nl.h"
#include "ampl_nl_scan.h"
#include "base/base.h"

enum { NL_DEPTH = 1000, NL_HEADER = 10 };

enum {
    OP_PLUS = 0,
    OP_MINUS = 1,
    OP_TIMES = 2,
    OP_OVER = 3,
    OP_NEGATE = 16,
    OP_SUM = 54
};

typedef struct nl_term {
    size_t variable;
    double x;
} nl_term;

typedef struct nl_reader {
    perp_nl_model *m;
    perp_nl_scan s;
    nl_term *term; /* of the current expression */
    size_t terms, room;
    size_t row;      /* of the current expression; PERP_NL_NONE: the objective */
    size_t entries;  /* of all J */
    double nonzeros; /* as many, by the header */
} nl_reader;

static perp_status nl_variable(nl_reader *r, size_t *j)
{
    return perp_nl_integer(&r->s, "a variable", r->m->variables - 1, j);
}

/* -- expressions --------------------------------------------------------------------------- */

static perp_status nl_not_linear(const nl_reader *r, const char *what)
{
    return r->row == PERP_NL_NONE
               ? perp_nl_fail(
                     &r->s,
                     "the objective has %s, expected none: a complementarity problem has "
                     "no objective",
                     what)
               : perp_nl_fail(&r->s, "row %zu has %s, expected linear rows", r->row,
                              what);
}

static perp_status nl_add_term(nl_reader *r, size_t j)
{
    if (r->terms == r->room) {
        size_t room = 2 * r->room + 64;
        nl_term *grown = realloc(r->term, room * sizeof *grown);

        if (!grown) {
            return perp_fail(r->s.err, PERP_ERR_MEMORY, "%s: no memory for terms",
                             r->m->path);
        }
        r->term = grown;
        r->room = room;
    }
    r->term[r->terms++] = (nl_term){j, 1.0};
    return PERP_OK;
}

static void nl_scale(nl_reader *r, size_t from, double factor)
{
    for (size_t k = from; k < r->terms; k++) {
        r->term[k].x *= factor;
    }
}

static perp_status nl_expression(nl_reader *r, int depth, double *constant);

/* Two operands; those of * and / may have one linear part at most. */
static perp_status nl_pair(nl_reader *r, size_t op, int depth, double *constant)
{
    const size_t first = r->terms;
    double a = 0.0, b = 0.0;
    size_t second = 0;
    perp_status status = nl_expression(r, depth, &a);

    second = r->terms;
    if (status == PERP_OK) {
        status = nl_expression(r, depth, &b);
    }
    if (status != PERP_OK) {
        return status;
    }
    if (op == OP_PLUS || op == OP_MINUS) {
        nl_scale(r, second, op == OP_PLUS ? 1.0 : -1.0);
        *constant = op == OP_PLUS ? a + b : a - b;
        return PERP_OK;
    }
    if (op == OP_TIMES && second > first && r->terms > second) {
        return nl_not_linear(r, "a product of variables");
    }
    if (op == OP_OVER && (r->terms > second || b == 0.0)) {
        return nl_not_linear(r, "a division by a variable or by 0");
    }
    nl_scale(r, first, op == OP_OVER ? 1.0 / b : second > first ? b : a);
    *constant = op == OP_OVER ? a / b : a * b;
    return PERP_OK;
}

static perp_status nl_sum(nl_reader *r, int depth, double *constant)
{
    size_t count = 0;
    perp_status status = perp_nl_integer(&r->s, "the number of terms",
                                         (size_t)(r->s.end - r->s.at), &count);

    *constant = 0.0;
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        double a = 0.0;

        status = nl_expression(r, depth, &a);
        *constant += a;
    }
    return status;
}

static perp_status nl_operator(nl_reader *r, int depth, double *constant)
{
    const size_t first = r->terms;
    size_t op = 0;
    char what[48];
    perp_status status = PERP_OK;

    TRY(perp_nl_integer(&r->s, "an operator", 100, &op));
    switch (op) {
    case OP_PLUS:
    case OP_MINUS:
    case OP_TIMES:
    case OP_OVER:
        return nl_pair(r, op, depth, constant);
    case OP_SUM:
        return nl_sum(r, depth, constant);
    case OP_NEGATE:
        status = nl_expression(r, depth, constant);
        nl_scale(r, first, -1.0);
        *constant = -*constant;
        return status;
    default:
        snprintf(what, sizeof what, "the operator o%zu", op);
        return nl_not_linear(r, what);
    }
}

/* Its constant; its linear terms are added to those of the reader. */
static perp_status nl_expression(nl_reader *r, int depth, double *constant)
{
    int16_t narrow = 0;
    size_t j = 0;
    char c = 0;
    perp_status status = perp_nl_letter(&r->s, &c);

    *constant = 0.0;
    if (status != PERP_OK) {
        return status;
    }
    if (depth == NL_DEPTH) {
        return perp_nl_fail(&r->s, "an expression is deeper than %d", NL_DEPTH);
    }
    switch (c) {
    case 'n':
        return perp_nl_finite(&r->s, "a constant", constant);
    case 's':
    case 'l':
        if (!r->s.binary) {
            return perp_nl_finite(&r->s, "a constant", constant);
        }
        if (c == 's' && perp_nl_bytes(&r->s, &narrow, sizeof narrow)) {
            *constant = narrow;
            return PERP_OK;
        }
        status = c == 'l' ? perp_nl_integer(&r->s, "a constant", INT32_MAX, &j)
                          : perp_nl_fail(&r->s, "the file ends, expected a constant");
        *constant = (double)j;
        return status;
    case 'v':
        status = perp_nl_integer(&r->s, "a variable", (size_t)INT32_MAX, &j);
        if (status == PERP_OK && j >= r->m->variables) {
            return nl_not_linear(r, "a defined variable");
        }
        return status == PERP_OK ? nl_add_term(r, j) : status;
    case 'o':
        return nl_operator(r, depth + 1, constant);
    default:
        return nl_not_linear(r, c == 'f' ? "a function" : "something unknown");
    }
}

/* -- segments ------------------------------------------------------------------------------ */

static perp_status nl_body(nl_reader *r)
{
    perp_nl_model *m = r->m;
    perp_status status = perp_nl_integer(&r->s, "a row", m->rows - 1, &r->row);

    r->terms = 0;
    if (status == PERP_OK) {
        status = nl_expression(r, 0, &m->row[r->row].constant);
    }
    for (size_t k = 0; k < r->terms && status == PERP_OK; k++) {
        perp_triplets_add(&m->t, r->row, r->term[k].variable, r->term[k].x);
    }
    return status;
}

/* Its number, its sense, and an expression that must be constant. */
static perp_status nl_objective(nl_reader *r)
{
    double constant = 0.0;
    size_t k = 0;
    perp_status status = perp_nl_integer(&r->s, "an objective", INT32_MAX, &k);

    r->row = PERP_NL_NONE;
    r->terms = 0;
    if (status == PERP_OK) {
        status = perp_nl_integer(&r->s, "a sense", 1, &k);
    }
    if (status == PERP_OK) {
        status = nl_expression(r, 0, &constant);
    }
    return status == PERP_OK && r->terms > 0 ? nl_not_linear(r, "variables") : status;
}

/* Pairs of a variable and a number: J of a row, G of an objective. */
static perp_status nl_entries(nl_reader *r, bool objective)
{
    perp_nl_model *m = r->m;
    size_t count = 0;
    perp_status status = perp_nl_integer(&r->s, objective ? "an objective" : "a row",
                                         objective ? INT32_MAX : m->rows - 1, &r->row);

    if (status == PERP_OK) {
        status = perp_nl_integer(&r->s, "the number of entries", m->variables, &count);
    }
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        size_t j = 0;
        double x = 0.0;

        status = nl_variable(r, &j);
        if (status == PERP_OK) {
            status = perp_nl_finite(&r->s, "a coefficient", &x);
        }
        if (status == PERP_OK && objective && x != 0.0) {
            r->row = PERP_NL_NONE;
            return nl_not_linear(r, "variables");
        }
        if (status == PERP_OK && !objective) {
            perp_triplets_add(&m->t, r->row, j, x);
            r->entries++;
        }
    }
    return status;
}

/* The kind of a bound: a digit. */
static perp_status nl_kind(nl_reader *r, char most, int *kind)
{
    char c = 0;
    perp_status status = perp_nl_letter(&r->s, &c);

    *kind = c - '0';
    if (status == PERP_OK && (c < '0' || c > most)) {
        return perp_nl_fail(&r->s, "found \"%c\", expected a kind of bound 0 .. %c", c,
                            most);
    }
    return status;
}

/* Kinds 0 to 4: lo hi, hi, lo, none, both the same. */
static perp_status nl_bound(nl_reader *r, int kind, double *lo, double *hi)
{
    perp_status status = PERP_OK;

    *lo = -INFINITY;
    *hi = INFINITY;
    if (kind == 0 || kind == 2 || kind == 4) {
        status = perp_nl_real(&r->s, lo);
    }
    if (status == PERP_OK && (kind == 0 || kind == 1)) {
        status = perp_nl_real(&r->s, hi);
    }
    if (kind == 4) {
        *hi = *lo;
    }
    return status == PERP_OK && !(*lo <= *hi && *lo<INFINITY && * hi> - INFINITY)
               ? perp_nl_fail(&r->s, "bounds %g and %g, expected lower <= upper", *lo,
                              *hi)
               : status;
}

static perp_status nl_senses(nl_reader *r)
{
    perp_nl_model *m = r->m;
    perp_status status = PERP_OK;

    for (size_t i = 0; i < m->rows && status == PERP_OK; i++) {
        perp_nl_row *row = &m->row[i];
        double hi = 0.0;
        size_t sides = 0;
        int kind = 0;

        status = nl_kind(r, '5', &kind);
        if (status == PERP_OK && kind < 5) {
            status = nl_bound(r, kind, &row->rhs, &hi);
        } else if (status == PERP_OK) {
            status = perp_nl_integer(&r->s, "the sides of a variable", 3, &sides);
            if (status == PERP_OK) {
                status = perp_nl_integer(&r->s, "a variable from 1", m->variables,
                                         &row->variable);
            }
            if (status == PERP_OK && row->variable-- == 0) {
                status = perp_nl_fail(
                    &r->s, "row %zu complements variable 0, expected one from 1", i);
            }
        }
        row->sense = (perp_nl_sense)kind;
        row->sides = (unsigned)sides;
    }
    return status;
}

static perp_status nl_bounds(nl_reader *r)
{
    perp_status status = PERP_OK;

    for (size_t j = 0; j < r->m->variables && status == PERP_OK; j++) {
        int kind = 0;

        status = nl_kind(r, '4', &kind);
        if (status == PERP_OK) {
            status = nl_bound(r, kind, &r->m->lo[j], &r->m->hi[j]);
        }
    }
    return status;
}

/* `pairs` of an integer and a number: starting values, or passed over. */
static perp_status nl_starts(nl_reader *r, size_t most, double *start)
{
    size_t count = 0;
    perp_status status = perp_nl_integer(&r->s, "a count", most, &count);

    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        size_t j = 0;
        double x = 0.0;

        status = perp_nl_integer(&r->s, "a number", most - 1, &j);
        if (status == PERP_OK) {
            status = perp_nl_finite(&r->s, "a starting value", &x);
        }
        if (status == PERP_OK && start) {
            start[j] = x;
        }
    }
    return status;
}

/* Column counts: nothing that J does not say. */
static perp_status nl_columns(nl_reader *r)
{
    size_t count = 0, k = 0;
    perp_status status = perp_nl_integer(&r->s, "a count", r->m->variables, &count);

    for (size_t j = 0; j < count && status == PERP_OK; j++) {
        status = perp_nl_integer(&r->s, "a count", INT32_MAX, &k);
    }
    return status;
}

/* A suffix: its kind, its count, its name, and pairs; bit 2 of the kind: numbers are real. */
static perp_status nl_suffix(nl_reader *r)
{
    size_t kind = 0, count = 0, length = 0, j = 0;
    double x = 0.0;
    perp_status status = perp_nl_integer(&r->s, "a kind of suffix", 15, &kind);

    if (status == PERP_OK) {
        status = perp_nl_integer(&r->s, "a count", (size_t)(r->s.end - r->s.at), &count);
    }
    if (status == PERP_OK && r->s.binary) {
        status = perp_nl_integer(&r->s, "the length of a name",
                                 (size_t)(r->s.end - r->s.at), &length);
        r->s.at +=
            length < (size_t)(r->s.end - r->s.at) ? length : (size_t)(r->s.end - r->s.at);
    } else if (status == PERP_OK) {
        perp_nl_pass(&r->s);
        while (r->s.at < r->s.end && !isspace((unsigned char)*r->s.at)) {
            r->s.at++;
        }
    }
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        status = perp_nl_integer(&r->s, "a number", INT32_MAX, &j);
        if (status == PERP_OK && r->s.binary && !(kind & 4)) {
            int32_t word = 0;

            status = perp_nl_bytes(&r->s, &word, sizeof word)
                         ? PERP_OK
                         : perp_nl_fail(&r->s, "the file ends, expected a suffix");
        } else if (status == PERP_OK) {
            status = perp_nl_real(&r->s, &x);
        }
    }
    return status;
}

static perp_status nl_segment(nl_reader *r, char c)
{
    perp_nl_model *m = r->m;

    switch (c) {
    case 'C':
        return nl_body(r);
    case 'O':
        return nl_objective(r);
    case 'J':
    case 'G':
        return nl_entries(r, c == 'G');
    case 'r':
        return nl_senses(r);
    case 'b':
        return nl_bounds(r);
    case 'x':
        m->has_start = true;
        return nl_starts(r, m->variables, m->start);
    case 'd':
        return nl_starts(r, m->rows, NULL);
    case 'k':
    case 'K':
        return nl_columns(r);
    case 'S':
        return nl_suffix(r);
    case 'V':
        return perp_nl_fail(&r->s,
                            "a defined variable (V), expected linear rows without any");
    case 'F':
    case 'L':
        return perp_nl_fail(&r->s, "%s, expected linear rows alone",
                            c == 'F' ? "a function (F)" : "a logical row (L)");
    default:
        return perp_nl_fail(
            &r->s, "found a segment \"%c\", expected one of C, O, J, G, r, b, x, d, k, S",
            isprint((unsigned char)c) ? c : '?');
    }
}

/* -- header -------------------------------------------------------------------------------- */

/* "g3 0 1 0 # problem NAME" */
static void nl_name(nl_reader *r)
{
    static const char mark[] = "# problem ";
    const char *end = memchr(r->s.at, '\n', (size_t)(r->s.end - r->s.at));
    size_t length = end ? (size_t)(end - r->s.at) : 0;

    for (size_t k = 0; k + sizeof mark - 1 < length; k++) {
        if (memcmp(r->s.at + k, mark, sizeof mark - 1) == 0) {
            const char *from = r->s.at + k + sizeof mark - 1;
            size_t size = (size_t)(end - from);

            while (size > 0 && isspace((unsigned char)from[size - 1])) {
                size--;
            }
            snprintf(r->m->name, sizeof r->m->name, "%.*s", (int)(size < 60 ? size : 60),
                     from);
            return;
        }
    }
}

/* Of interest: 2 variables, rows, ..., logical rows; 6 arithmetic as its third number; 8 entries of all J. */
static perp_status nl_header(nl_reader *r)
{
    enum { SIZES = 2, ARITHMETIC = 6, NONZEROS = 8 };
    double line[NL_HEADER + 1][8] = {{0}}; /* from 1 */
    const double bytes = (double)(r->s.end - r->s.begin);
    const double *size = line[SIZES];

    r->s.at++; /* g or b */
    nl_name(r);
    for (int k = 1; k <= NL_HEADER; k++) {
        perp_nl_line(&r->s, line[k], 8);
    }
    if (!(size[0] >= 1.0 && size[0] <= bytes && size[1] >= 1.0 && size[1] <= bytes)) {
        return perp_fail(
            r->s.err, PERP_ERR_FORMAT,
            "%s:2: expected the numbers of variables and rows, at least 1 and as "
            "many as a file of %.0f bytes holds",
            r->m->path, bytes);
    }
    if (size[5] > 0.0) {
        return perp_fail(r->s.err, PERP_ERR_FORMAT,
                         "%s:2: %g logical rows, expected none", r->m->path, size[5]);
    }
    r->m->variables = (size_t)size[0];
    r->m->rows = (size_t)size[1];
    r->nonzeros = line[NONZEROS][0];
    r->s.binary = *r->s.begin == 'b';
    return r->s.binary && line[ARITHMETIC][2] > 1.0
               ? perp_fail(
                     r->s.err, PERP_ERR_FORMAT,
                     "%s: binary of arithmetic %g, expected 1: IEEE, little-endian; the "
                     "text form (option g) is read anywhere",
                     r->m->path, line[ARITHMETIC][2])
               : PERP_OK;
}

static perp_status nl_allocate(perp_nl_model *m, perp_error *err)
{
    m->row = calloc(m->rows, sizeof *m->row);
    m->lo = perp_reals_new(m->variables);
    m->hi = perp_reals_new(m->variables);
    m->start = perp_reals_new(m->variables);
    if (!m->row || !m->lo || !m->hi || !m->start) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu rows", m->path,
                         m->rows);
    }
    for (size_t i = 0; i < m->rows; i++) {
        m->row[i].sense = PERP_NL_UNBOUNDED;
    }
    for (size_t j = 0; j < m->variables; j++) {
        m->lo[j] = -INFINITY;
        m->hi[j] = INFINITY;
    }
    perp_triplets_init(&m->t, m->rows, m->variables, 0);
    return PERP_OK;
}

perp_status perp_nl_parse(perp_nl_model *m, const perp_source *from, perp_error *err)
{
    nl_reader r = {.m = m,
                   .s = {.path = from->name,
                         .begin = from->bytes,
                         .at = from->bytes,
                         .end = from->bytes + from->size,
                         .line = 1,
                         .err = err}};
    perp_status status = PERP_OK;

    *m = (perp_nl_model){.path = from->name};
    status = from->size > 0
                 ? nl_header(&r)
                 : perp_fail(err, PERP_ERR_FORMAT, "%s: an empty file", from->name);
    if (status == PERP_OK) {
        status = nl_allocate(m, err);
    }
    for (perp_nl_pass(&r.s); status == PERP_OK && r.s.at < r.s.end; perp_nl_pass(&r.s)) {
        char c = *r.s.at++;

        status = nl_segment(&r, c);
    }
    if (status == PERP_OK && (double)r.entries != r.nonzeros) {
        status = perp_fail(err, PERP_ERR_FORMAT,
                           "%s: %zu entries in all J, expected %g, as the header says",
                           m->path, r.entries, r.nonzeros);
    }
    if (status == PERP_OK) {
        status = perp_triplets_finish(&m->E, &m->t, err);
    }
    free(r.term);
    return status;
}

void perp_nl_clear(perp_nl_model *m)
{
    perp_triplets_free(&m->t);
    perp_operator_free(m->E);
    free(m->row);
    free(m->lo);
    free(m->hi);
    free(m->start);
}
