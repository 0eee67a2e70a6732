/* SPDX-License-Identifier: Apache-2.0
 * verbs/measures.c: the measures of a solution, as a table and as a list. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "command/results/table.h"
#include "command/verbs/measures.h"

/* A member of perp_measures: its type is that of the list, "double" and so on. */
typedef struct measure {
    const char *type, *name, *unit, *meaning;
    size_t offset;
} measure;

static const measure all_measures[] = {
#define MEASURE_ROW(type, member, unit, meaning)                                         \
    {#type, #member, unit, meaning, offsetof(perp_measures, member)},
    PERP_MEASURE_LIST(MEASURE_ROW)
#undef MEASURE_ROW
};
enum { MEASURES = sizeof all_measures / sizeof *all_measures };

static bool is_spread(const measure *m)
{
    return strcmp(m->type, "perp_percentiles") == 0;
}

void measures_list(json_t *array)
{
    for (size_t k = 0; k < MEASURES; k++) {
        const measure *m = &all_measures[k];

        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", m->name,
                                        "of", "solve", "kind",
                                        is_spread(m)                     ? "percentiles"
                                        : strcmp(m->type, "size_t") == 0 ? "count"
                                                                         : "number",
                                        "unit", m->unit, "summary", m->meaning));
    }
}

enum {
    CONES = PERP_SET_CONE | PERP_SET_ROLLING,
    SCALARS = PERP_SET_FREE | PERP_SET_NONNEG | PERP_SET_BOX | PERP_SET_FRICTION |
              PERP_SET_DISK,
    ANY = CONES | SCALARS,
};

/* The measures that are printed, and the sets to which each applies. */
static const struct {
    const char *name;
    unsigned sets;
} printed[] = {
    {"residual", ANY},
    {"residual_coulomb", CONES},
    {"residual_associated", CONES},
    {"residual_local", ANY},
    {"residual_literature", ANY},
    {"residual_mean", ANY},
    {"rounding", ANY},
    {"error_literature", ANY},
    {"feas_z", SCALARS},
    {"feas_w", SCALARS},
    {"gap", SCALARS},
    {"relgap", SCALARS},
    {"merit", SCALARS},
    {"bilateral", SCALARS},
    {"cone_gap", CONES},
    {"penetration", CONES},
    {"adhesion", CONES},
    {"signorini", CONES},
    {"cone", CONES},
    {"dissipation", CONES},
    {"direction", CONES},
    {"contacts", CONES},
    {"objective", ANY},
    {"norm_z", ANY},
    {"norm_w", ANY},
};

typedef struct measure_row {
    const char *name, *unit;
    double value;
    char meaning[160];
} measure_row;

static const table_column measure_columns[] = {
    {TABLE_STRING_AT(NULL, "measure", measure_row, name)},
    {TABLE_REAL_AT(NULL, "value", NULL, measure_row, value)},
    {TABLE_STRING_AT(NULL, "unit", measure_row, unit)},
    {TABLE_CHARS_AT(NULL, "meaning", measure_row, meaning)},
    TABLE_COLUMN_END,
};

static const measure *measure_find(const char *name)
{
    for (size_t k = 0; k < MEASURES; k++) {
        if (strcmp(all_measures[k].name, name) == 0) {
            return &all_measures[k];
        }
    }
    return NULL;
}

static measure_row row_of(const measure *of, const perp_measures *m)
{
    const void *member = (const char *)m + of->offset;
    measure_row row = {.name = of->name,
                       .unit = strcmp(of->unit, "1") == 0 ? "" : of->unit};

    if (is_spread(of)) {
        const perp_percentiles *s = member;

        row.value = s->max;
        snprintf(row.meaning, sizeof row.meaning, "%s; half below %s, 99 %% below %s",
                 of->meaning, output_real(OUTPUT_ROOM, s->p50),
                 output_real(OUTPUT_ROOM, s->p99));
    } else {
        row.value = *(const double *)member;
        snprintf(row.meaning, sizeof row.meaning, "%s", of->meaning);
    }
    return row;
}

/* The modes of the contacts, in one row. */
static measure_row contacts_row(const perp_measures *m)
{
    measure_row row = {.name = "contacts",
                       .unit = "",
                       .value = (double)(m->contacts_free + m->contacts_stick +
                                         m->contacts_slide + m->contacts_undecided)};

    snprintf(row.meaning, sizeof row.meaning,
             "%zu free, %zu stick, %zu slide, %zu undecided", m->contacts_free,
             m->contacts_stick, m->contacts_slide, m->contacts_undecided);
    return row;
}

void measures_print(const perp_problem *p, const perp_measures *m, FILE *out)
{
    unsigned kinds = perp_set_kinds(p->set);
    table t;

    table_start(&t, TABLE_AS_TEXT, out, measure_columns);
    for (size_t k = 0; k < sizeof printed / sizeof *printed; k++) {
        const measure *of = measure_find(printed[k].name);

        if (printed[k].sets == ANY || (printed[k].sets & kinds)) {
            const measure_row row = of ? row_of(of, m) : contacts_row(m);

            table_row(&t, &row);
        }
    }
    table_end(&t);
}
