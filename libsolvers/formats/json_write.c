/* SPDX-License-Identifier: Apache-2.0
 * formats/json_write.c: the writer of json: the members of the description, then the arrays,
 * each on a line of its own, a matrix with a line per row. */
#include <config.h>

#include <string.h>

#include "base/number.h"
#include "json.h"

static void put_number(FILE *f, double x, bool first)
{
    char text[PERP_NUMBER_LENGTH + 4];
    char *number = text + 2;
    size_t length = perp_number_format(number, x);

    if (number[length - 1] == 'f') { /* inf */
        *--number = '"';
        length++;
        number[length++] = '"';
    }
    if (!first) {
        *--number = ',';
        length++;
    }
    fwrite(number, 1, length, f);
}

static perp_status json_write_vector(const perp_arrays_out *out, const char *name,
                                     const double *x, size_t n, const char *what,
                                     perp_error *err)
{
    FILE *f = out->context;

    (void)what;
    (void)err; /* the commit of the file checks for errors */
    fprintf(f, ",\n  \"%s\": [", name);
    for (size_t i = 0; i < n; i++) {
        put_number(f, x[i], i == 0);
    }
    fputc(']', f);
    return PERP_OK;
}

/* Which part of the entries is written. */
typedef struct entry_writer {
    FILE *f;
    char part; /* r: row, c: column, d: data */
    size_t row;
    bool first;
} entry_writer;

static void put_entry(void *context, size_t j, double a)
{
    entry_writer *w = context;

    put_number(w->f,
               w->part == 'r'   ? (double)w->row
               : w->part == 'c' ? (double)j
                                : a,
               w->first);
    w->first = false;
}

static void json_write_sparse(FILE *f, const perp_operator *A)
{
    static const char *const parts[] = {"row", "col", "data"};

    fprintf(f, "{\n    \"shape\": [%zu,%zu]", A->rows, A->cols);
    for (int k = 0; k < 3; k++) {
        entry_writer w = {.f = f, .part = parts[k][0], .first = true};

        fprintf(f, ",\n    \"%s\": [", parts[k]);
        for (; w.row < A->rows; w.row++) {
            perp_operator_row_visit(A, w.row, put_entry, &w);
        }
        fputc(']', f);
    }
    fputc('}', f);
}

static perp_status json_write_matrix(const perp_arrays_out *out, const char *name,
                                     const perp_operator *A, const char *what,
                                     perp_error *err)
{
    FILE *f = out->context;

    (void)what;
    (void)err;
    fprintf(f, ",\n  \"%s\": ", name);
    if (A->type->storage != PERP_STORAGE_DENSE) {
        json_write_sparse(f, A);
        return PERP_OK;
    }
    for (size_t i = 0; i < A->rows; i++) {
        fputs(i == 0 ? "[\n    [" : ",\n    [", f);
        for (size_t j = 0; j < A->cols; j++) {
            put_number(f, A->x[i + j * A->ld], j == 0);
        }
        fputc(']', f);
    }
    fputs(A->rows > 0 ? "]" : "[]", f);
    return PERP_OK;
}

/* The members without the brace behind them: arrays follow. */
static perp_status json_write_description(const perp_arrays_out *out, const char *text,
                                          size_t length, perp_error *err)
{
    (void)err;
    fwrite(text, 1, length - strlen("\n}\n"), out->context);
    return PERP_OK;
}

perp_status perp_json_write(perp_file_out *file, const perp_problem *p, const char *kind,
                            perp_error *err)
{
    const perp_arrays_out out = {.file = file->path,
                                 .format = "perp-json",
                                 .first_row = 0,
                                 .matrix = json_write_matrix,
                                 .vector = json_write_vector,
                                 .describe = json_write_description,
                                 .context = file->f};
    perp_status status = perp_arrays_write(&out, p, kind, err);

    fputs("\n}\n", file->f);
    return status;
}
