/* SPDX-License-Identifier: Apache-2.0
 * verbs/forces.c: which forces of an answer are determined, of perp verify --forces. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/answer.h"
#include "command/cli/output.h"
#include "command/cli/take.h"
#include "command/verbs/forces.h"

/* Rows up to which tangents and moments have ranges, too. */
enum { ALL_ROWS = 600 };

static const char *const parts[] = {"N", "T1", "T2", "R1", "R2"};

/* "T1" of a contact, "-" of a row that is alone. */
static const char *forces_part(const perp_block *block, size_t row)
{
    size_t i = row - block->first;

    if (block->kind == PERP_SET_DISK) {
        return parts[1 + i];
    }
    return block->dim > 1 ? parts[i] : "-";
}

/* Whether other velocities may solve the problem, too. */
static bool forces_of_these(const perp_problem *p)
{
    unsigned kinds = perp_set_kinds(p->set);
    bool cones = kinds & (PERP_SET_CONE | PERP_SET_ROLLING);

    return (kinds & PERP_SET_FRICTION) || (cones && p->law == PERP_LAW_COULOMB) ||
           !perp_operator_is_symmetric(p->A);
}

static void forces_choose(forces *f)
{
    const perp_set *set = f->p->set;

    f->row = take(set->n, sizeof *f->row);
    for (size_t k = 0; k < set->count; k++) {
        size_t rows = set->n <= ALL_ROWS ? set->blocks[k].dim : 1;

        for (size_t i = 0; i < rows; i++) {
            f->row[f->count++] = set->blocks[k].first + i;
        }
    }
}

perp_status forces_find(forces *f, const perp_problem *p, const double *z,
                        perp_error *err)
{
    perp_determined *d = NULL;
    perp_error why = {0};
    perp_status status = perp_determined_new(&d, p, z, &why);

    *f = (forces){.p = p};
    if (status == PERP_ERR_UNSUITABLE) {
        snprintf(f->refused, sizeof f->refused, "%s", why.text);
        return PERP_OK;
    }
    if (status != PERP_OK) {
        return perp_fail(err, status, "%s", why.text);
    }
    f->z = take(p->n, sizeof *f->z);
    memcpy(f->z, z, p->n * sizeof *z);
    f->freedom = take(p->set->count, sizeof *f->freedom);
    memcpy(f->freedom, perp_determined_freedom(d), p->set->count * sizeof *f->freedom);
    f->degree = perp_determined_degree(d);
    forces_choose(f);
    f->range = take(f->count, sizeof *f->range);
    status = perp_determined_rows(d, f->count, f->row, f->range, err);
    perp_determined_free(d);
    return status;
}

void forces_clear(forces *f)
{
    free(f->z);
    free(f->row);
    free(f->range);
    free(f->freedom);
    *f = (forces){0};
}

/* The name of the block, or its number. */
static const char *forces_name(const forces *f, size_t block, char room[32])
{
    const char *name = f->p->labels ? f->p->labels->at[block].name : NULL;

    snprintf(room, 32, "%s %zu", perp_set_kind_name(f->p->set->blocks[block].kind),
             block + 1);
    return name ? name : room;
}

static json_t *forces_row(const forces *f, size_t i)
{
    size_t k = perp_set_block_at(f->p->set, f->row[i]);
    const perp_interval *range = &f->range[i];
    char room[32];

    return json_pack("{s:I, s:s, s:s, s:s, s:f, s:o, s:o, s:s}", "row",
                     (json_int_t)f->row[i], "name", forces_name(f, k, room), "part",
                     forces_part(&f->p->set->blocks[k], f->row[i]), "open",
                     perp_freedom_name(f->freedom[k]), "value", f->z[f->row[i]], "lo",
                     answer_real(range->lo), "hi", answer_real(range->hi), "range",
                     perp_determinacy_name(range->kind));
}

json_t *forces_json(const forces *f)
{
    json_t *rows = json_array();

    if (f->refused[0]) {
        json_decref(rows);
        return json_pack("{s:s}", "refused", f->refused);
    }
    for (size_t i = 0; i < f->count; i++) {
        json_array_append_new(rows, forces_row(f, i));
    }
    return json_pack("{s:o, s:b, s:o}", "degree",
                     f->degree == PERP_DEGREE_UNKNOWN
                         ? json_null()
                         : json_integer((json_int_t)f->degree),
                     "for_these_velocities", (int)forces_of_these(f->p), "rows", rows);
}

static void forces_print_row(const forces *f, size_t i, output_table *t)
{
    size_t k = perp_set_block_at(f->p->set, f->row[i]);
    const perp_interval *range = &f->range[i];
    char room[32];

    output_cell(t, "%s", forces_name(f, k, room));
    output_cell(t, "%s", forces_part(&f->p->set->blocks[k], f->row[i]));
    output_cell(t, "%.6g", f->z[f->row[i]]);
    if (range->kind == PERP_DETERMINED) {
        output_cell(t, "%s", "");
        output_cell(t, "%s", "");
    } else {
        output_cell(t, "%.6g", range->lo);
        output_cell(t, "%.6g", range->hi);
    }
    output_cell(t, "%s", perp_determinacy_name(range->kind));
}

void forces_print(const forces *f, FILE *out)
{
    size_t determined = 0;
    output_table t = {0};

    if (f->refused[0]) {
        output_print(out, OUTPUT_PLAIN, "forces: no ranges: %s\n", f->refused);
        return;
    }
    for (size_t i = 0; i < f->count; i++) {
        determined += f->range[i].kind == PERP_DETERMINED;
    }
    output_print(out, OUTPUT_PLAIN, "forces%s: %zu of %zu determined",
                 forces_of_these(f->p) ? " for these velocities" : "", determined,
                 f->count);
    if (f->degree != PERP_DEGREE_UNKNOWN) {
        output_print(out, OUTPUT_PLAIN, ", degree of indeterminacy %zu", f->degree);
    }
    fputc('\n', out);
    if (f->p->n > ALL_ROWS) {
        output_print(out, OUTPUT_PLAIN,
                     "normals and single rows only, since there are more than %d rows\n",
                     ALL_ROWS);
    }
    output_table_start(&t, "force|part|>value|>from|>to|range");
    for (size_t i = 0; i < f->count; i++) {
        forces_print_row(f, i, &t);
    }
    output_table_end(&t, out);
}
