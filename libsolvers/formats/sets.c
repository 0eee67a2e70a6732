/* SPDX-License-Identifier: Apache-2.0
 * formats/sets.c: the set K in JSON, as runs of equal blocks in the order of the rows:
 *
 *     [{"kind": "free", "count": 6}, {"kind": "box"}, {"kind": "friction", "count": 2},
 *      {"kind": "cone", "dim": 3, "count": 8}, {"kind": "rolling", "dim": 5}]
 *
 * `count` is 1 where it is missing. Bounds, mu and radii are arrays. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "meta.h"
#include "sets.h"

static perp_status sets_kind(perp_block *k, const json_t *run, const char *file,
                             const char *at, perp_error *err)
{
    static const struct {
        const char *name;
        perp_set_kind kind;
        unsigned dim;
    } kinds[] = {
#define KIND(name, bit, text) {text, name, 1},
        PERP_SET_LIST(KIND)
#undef KIND
    };
    const char *name = NULL;
    perp_status status = PERP_OK;

    TRY(perp_json_text(&name, run, file, at, "kind", err));
    for (size_t i = 0; name && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            size_t dim = 0;
            size_t natural = kinds[i].kind == PERP_SET_CONE      ? 3
                             : kinds[i].kind == PERP_SET_ROLLING ? 5
                             : kinds[i].kind == PERP_SET_DISK    ? 2
                                                                 : 1;

            k->kind = kinds[i].kind;
            status = perp_json_size(&dim, run, file, at, "dim", natural, err);
            if (status == PERP_OK && dim != natural &&
                !(k->kind == PERP_SET_CONE && dim == 2)) {
                return perp_fail(err, PERP_ERR_FORMAT,
                                 "%s: %sdim is %zu, expected %s%zu for a %s", file, at,
                                 dim, k->kind == PERP_SET_CONE ? "2 or " : "", natural,
                                 name);
            }
            k->dim = (unsigned)dim;
            return status;
        }
    }
    return perp_fail(err, PERP_ERR_FORMAT,
                     "%s: %skind is %s%s%s, expected free, nonneg, box, friction, cone, "
                     "rolling or disk",
                     file, at, name ? "\"" : "", name ? name : "missing",
                     name ? "\"" : "");
}

/* One run, `count` blocks of dimension dim, of which at most `left` rows may remain. */
static perp_status sets_run(perp_block *k, size_t *count, size_t left, const json_t *run,
                            const char *file, const char *at, perp_error *err)
{
    static const char *const members[] = {"kind", "dim", "count", NULL};

    memset(k, 0, sizeof *k);
    if (!json_is_object(run)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %.*s is %s, expected an object", file,
                         (int)strlen(at) - 1, at, perp_json_kind(run));
    }
    TRY(perp_json_expect_members(run, members, NULL, file, at, err));
    TRY(sets_kind(k, run, file, at, err));
    TRY(perp_json_size(count, run, file, at, "count", 1, err));
    return *count <= left / k->dim
               ? PERP_OK
               : perp_fail(err, PERP_ERR_FORMAT,
                           "%s: %scount is %zu, blocks of %u row%s, but only %zu row%s "
                           "left",
                           file, at, *count, k->dim, perp_plural((size_t)k->dim), left,
                           perp_plural(left));
}

perp_status perp_json_sets(perp_set **set, size_t n, const json_t *value,
                           const char *file, const char *at, perp_error *err)
{
    perp_status status = PERP_OK;
    size_t rows = 0;

    *set = NULL;
    if (!json_is_array(value)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: %ssets is %s, expected an array",
                         file, at, perp_json_kind(value));
    }
    status = perp_set_new(set, n, err);
    for (size_t i = 0; status == PERP_OK && i < json_array_size(value); i++) {
        char place[PERP_PLACE_LENGTH];
        perp_block k;
        size_t count = 0;

        snprintf(place, sizeof place, "%ssets[%zu].", at, i);
        status =
            sets_run(&k, &count, n - rows, json_array_get(value, i), file, place, err);
        for (size_t j = 0; status == PERP_OK && j < count; j++) {
            perp_set_add_block(*set, &k);
            rows += k.dim;
        }
    }
    if (status == PERP_OK && rows != n) {
        status =
            perp_fail(err, PERP_ERR_FORMAT, "%s: %ssets covers %zu row%s, expected %zu",
                      file, at, rows, perp_plural(rows), n);
    }
    if (status != PERP_OK) {
        perp_set_free(*set);
        *set = NULL;
    }
    return status;
}

static void print_run(FILE *f, const perp_block *k, size_t count)
{
    fprintf(f, "{\"kind\":\"%s\"", perp_set_kind_name(k->kind));
    if (k->dim > 1) {
        fprintf(f, ",\"dim\":%u", k->dim);
    }
    if (count > 1) {
        fprintf(f, ",\"count\":%zu", count);
    }
    fputc('}', f);
}

void perp_json_print_sets(FILE *f, const perp_set *set)
{
    fputc('[', f);
    for (size_t i = 0; i < set->count;) {
        const perp_block *k = &set->blocks[i];
        size_t count = 1;

        while (i + count < set->count && k->kind == k[count].kind &&
               k->dim == k[count].dim) {
            count++;
        }
        fputs(i ? "," : "", f);
        print_run(f, k, count);
        i += count;
    }
    fputc(']', f);
}

perp_status perp_bounds_check(double lo, double hi, const char *file, const char *place,
                              size_t i, perp_error *err)
{
    if (!(lo <= hi) || lo == INFINITY || hi == -INFINITY) {
        return perp_fail(
            err, PERP_ERR_DATA, "%s: %slo[%zu] is %g and hi[%zu] is %g, expected %s",
            file, place, i, lo, i, hi, lo <= hi ? "lo < inf and hi > -inf" : "lo <= hi");
    }
    return PERP_OK;
}

void perp_set_add_bounds(perp_set *set, double lo, double hi)
{
    if (lo == -INFINITY && hi == INFINITY) {
        perp_set_add_free(set);
    } else if (lo == 0.0 && hi == INFINITY) {
        perp_set_add_nonneg(set);
    } else {
        perp_set_add_box(set, lo, hi);
    }
}

void perp_set_add_block(perp_set *set, const perp_block *k)
{
    switch (k->kind) {
    case PERP_SET_FREE:
        perp_set_add_free(set);
        break;
    case PERP_SET_NONNEG:
        perp_set_add_nonneg(set);
        break;
    case PERP_SET_BOX:
        perp_set_add_box(set, k->lo, k->hi);
        break;
    case PERP_SET_FRICTION:
        perp_set_add_friction(set, k->mu, k->normal);
        break;
    case PERP_SET_CONE:
        perp_set_add_cone(set, k->dim, k->mu);
        break;
    case PERP_SET_ROLLING:
        perp_set_add_rolling(set, k->mu, k->mu_rolling);
        break;
    case PERP_SET_DISK:
        perp_set_add_disk(set, k->radius);
        break;
    }
}

/* Members with what people read, in the order they are written. */
static const char *const text_keys[] = {"id", "note", "description", "math_info"};
enum { TEXTS = sizeof text_keys / sizeof text_keys[0] };

perp_status perp_json_texts(perp_problem *p, const json_t *root, const char *file,
                            perp_error *err)
{
    char **fields[TEXTS] = {&p->name, &p->title, &p->description, &p->math_info};
    perp_status status = PERP_OK;

    for (size_t i = 0; i < TEXTS && status == PERP_OK; i++) {
        const char *text = NULL;
        bool wanted = i == 0; /* a problem without a name has that of its file */

        status = perp_json_text(&text, root, file, "", text_keys[i], err);
        if (status == PERP_OK && (text || wanted)) {
            *fields[i] = text ? perp_text_new(text) : perp_path_stem(file);
            if (!*fields[i]) {
                status =
                    perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a text", file);
            }
        }
    }
    return status == PERP_OK ? perp_meta_read(p, root, file, err) : status;
}

void perp_json_print_texts(FILE *f, const perp_problem *p)
{
    const char *texts[TEXTS] = {p->name, p->title, p->description, p->math_info};

    for (size_t i = 0; i < TEXTS; i++) {
        if (texts[i]) {
            fprintf(f, "  \"%s\": ", text_keys[i]);
            perp_json_print_text(f, texts[i]);
            fputs(",\n", f);
        }
    }
    perp_meta_print(f, p);
}
