/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence_hdf5_write.c: a sequence as one HDF5 file; the layout is told in
 * sequence_hdf5.c. Step by step, so that one of them is in memory; no times, so that the
 * same sequence gives the same bytes. */
#include <config.h>

#include "sequence_hdf5.h"

/* Parameters of blocks, one array each, there when a block needs it. */
static perp_status put_parameter(const perp_h5_file *f, const char *group,
                                 const char *name, const perp_set *set, unsigned kinds,
                                 size_t offset)
{
    char inside[PERP_H5_PATH];
    double *x = NULL;
    perp_status status = PERP_OK;

    if (!(perp_set_kinds(set) & kinds)) {
        return PERP_OK;
    }
    x = perp_reals_new(set->count);
    if (!x) {
        return perp_h5_fail(f, PERP_ERR_MEMORY, group, "no memory for %zu blocks",
                            set->count);
    }
    for (size_t k = 0; k < set->count; k++) {
        memcpy(&x[k], (const char *)&set->blocks[k] + offset, sizeof x[k]);
    }
    status = perp_h5_put_reals(f, perp_h5_join(inside, group, name), set->count, x);
    free(x);
    return status;
}

/* Whole numbers of blocks: their kinds (the bits of PERP_SET_…), dimensions, normal rows. */
static perp_status put_shapes(const perp_h5_file *f, const char *group,
                              const perp_set *set)
{
    char inside[PERP_H5_PATH];
    bool coupled = perp_set_kinds(set) & PERP_SET_FRICTION;
    int32_t *narrow = calloc(2 * set->count + 1, sizeof *narrow);
    int64_t *wide = calloc(set->count + 1, sizeof *wide);
    perp_status status = PERP_OK;

    if (narrow && wide) {
        for (size_t k = 0; k < set->count; k++) {
            narrow[k] = (int32_t)set->blocks[k].kind;
            narrow[set->count + k] = (int32_t)set->blocks[k].dim;
            wide[k] = (int64_t)set->blocks[k].normal;
        }
        status = perp_h5_put_integers(f, perp_h5_join(inside, group, "kind"), set->count,
                                      narrow);
        status = status ? status
                        : perp_h5_put_integers(f, perp_h5_join(inside, group, "dim"),
                                               set->count, narrow + set->count);
        if (status == PERP_OK && coupled) {
            status = perp_h5_put_wide(f, perp_h5_join(inside, group, "normal"),
                                      set->count, wide);
        }
    } else {
        status = perp_h5_fail(f, PERP_ERR_MEMORY, group, "no memory for %zu blocks",
                              set->count);
    }
    free(narrow);
    free(wide);
    return status;
}

static perp_status put_set(const perp_h5_file *f, const char *group, const perp_set *set)
{
    static const unsigned frictional =
        PERP_SET_FRICTION | PERP_SET_CONE | PERP_SET_ROLLING;
    static const struct {
        const char *name;
        unsigned kinds;
        size_t offset;
    } parameters[] = {
        {"lo", PERP_SET_BOX, offsetof(perp_block, lo)},
        {"hi", PERP_SET_BOX, offsetof(perp_block, hi)},
        {"mu", frictional, offsetof(perp_block, mu)},
        {"mu_rolling", PERP_SET_ROLLING, offsetof(perp_block, mu_rolling)},
        {"radius", PERP_SET_DISK, offsetof(perp_block, radius)},
    };
    perp_status status = perp_h5_put_group(f, group);

    status = status ? status : put_shapes(f, group, set);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters && !status; i++) {
        status = put_parameter(f, group, parameters[i].name, set, parameters[i].kinds,
                               parameters[i].offset);
    }
    return status;
}

static perp_status put_global(const perp_h5_file *f, const char *step,
                              const perp_global *g)
{
    char group[PERP_H5_PATH];
    char inside[PERP_H5_PATH];
    perp_status status = perp_h5_put_group(f, perp_h5_join(group, step, "global"));

    status = status ? status
                    : perp_sequence_put_matrix(f, perp_h5_join(inside, group, "M"), g->M);
    status = status ? status
                    : perp_sequence_put_matrix(f, perp_h5_join(inside, group, "H"), g->H);
    if (status == PERP_OK && g->G) {
        status = perp_sequence_put_matrix(f, perp_h5_join(inside, group, "G"), g->G);
    }
    return status
               ? status
               : perp_h5_put_reals(f, perp_h5_join(inside, group, "f"), g->M->rows, g->f);
}

static perp_status put_texts(const perp_h5_file *f, const char *step,
                             const perp_problem *p)
{
    const char *const texts[][2] = {{"name", p->name},
                                    {"title", p->title},
                                    {"description", p->description},
                                    {"math_info", p->math_info}};
    perp_status status = PERP_OK;

    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == PERP_OK; i++) {
        char inside[PERP_H5_PATH];

        status =
            perp_h5_put_text(f, perp_h5_join(inside, step, texts[i][0]), texts[i][1]);
    }
    return status;
}

static perp_status put_point(const perp_h5_file *f, const char *group,
                             const perp_problem *p, const perp_point *point)
{
    char inside[PERP_H5_PATH];
    perp_status status = perp_h5_put_group(f, group);

    if (status == PERP_OK && point->z) {
        status = perp_h5_put_reals(f, perp_h5_join(inside, group, "z"), p->n, point->z);
    }
    if (status == PERP_OK && point->w) {
        status = perp_h5_put_reals(f, perp_h5_join(inside, group, "w"), p->n, point->w);
    }
    if (status == PERP_OK && point->v && p->global) {
        status = perp_h5_put_reals(f, perp_h5_join(inside, group, "v"),
                                   p->global->M->rows, point->v);
    }
    return status;
}

static perp_status put_points(const perp_h5_file *f, const char *step,
                              const perp_problem *p)
{
    char group[PERP_H5_PATH];
    perp_status status = PERP_OK;

    if (p->solution) {
        status = put_point(f, perp_h5_join(group, step, "solution"), p, p->solution);
    }
    if (status == PERP_OK && p->guess_count > 0) {
        status = perp_h5_put_group(f, perp_h5_join(group, step, "guesses"));
    }
    for (size_t k = 0; status == PERP_OK && k < p->guess_count; k++) {
        char name[40];

        snprintf(name, sizeof name, "guesses/%zu", k);
        status = put_point(f, perp_h5_join(group, step, name), p, &p->guesses[k]);
    }
    return status;
}

static perp_status put_step(const perp_h5_file *f, size_t i,
                            const perp_sequence_item *step)
{
    const perp_problem *p = step->problem;
    const char *law = p->law == PERP_LAW_ASSOCIATED ? "associated" : "coulomb";
    char group[PERP_H5_PATH];
    char inside[PERP_H5_PATH];
    perp_status status = PERP_OK;

    snprintf(group, sizeof group, "/steps/%zu", i);
    status = perp_h5_put_group(f, group);
    status = status ? status : perp_h5_put_attribute_real(f, group, "t", step->t);
    status = status ? status : perp_h5_put_attribute_real(f, group, "h", step->h);
    status = status ? status : perp_h5_put_attribute_text(f, group, "law", law);
    status = status ? status
                    : perp_h5_put_words(f, perp_h5_join(inside, group, "keys"),
                                        p->set->count, step->keys);
    status = status ? status : put_set(f, perp_h5_join(inside, group, "set"), p->set);
    status = status ? status
                    : perp_h5_put_reals(f, perp_h5_join(inside, group, "b"), p->n, p->b);
    if (status == PERP_OK && p->A) {
        status = perp_sequence_put_matrix(f, perp_h5_join(inside, group, "A"), p->A);
    }
    if (status == PERP_OK && p->global) {
        status = put_global(f, group, p->global);
    }
    status = status ? status : put_texts(f, group, p);
    return status ? status : put_points(f, group, p);
}

static perp_status put_all(const perp_h5_file *f, const perp_sequence *s)
{
    perp_status status = perp_h5_put_attribute_text(f, "/", "format", SEQUENCE_FORMAT);

    status = status ? status : perp_h5_put_attribute(f, "/", "version", SEQUENCE_VERSION);
    status = status ? status : perp_h5_put_attribute_text(f, "/", "name", s->name);
    status = status ? status : perp_h5_put_attribute(f, "/", "count", s->count);
    status = status ? status : perp_h5_put_group(f, "/steps");
    for (size_t i = 0; status == PERP_OK && i < s->count; i++) {
        perp_sequence_item step;

        status = perp_sequence_get(s, i, &step, f->err);
        status = status ? status : put_step(f, i, &step);
        perp_sequence_item_clear(&step);
    }
    return status;
}

perp_status perp_sequence_hdf5_write(const perp_sequence *s, const char *path,
                                     perp_error *err)
{
    perp_h5_file f = {0};
    char *temporary = NULL;
    perp_status closed = PERP_OK;
    perp_status status = perp_file_temporary(&temporary, path, err);

    if (status != PERP_OK) {
        return status;
    }
    status = perp_h5_create(&f, temporary, err);
    if (status == PERP_OK) {
        status = put_all(&f, s);
    }
    closed = perp_h5_close(&f);
    status = status == PERP_OK ? closed : status;
    if (status == PERP_OK) {
        status = perp_file_install(temporary, path, err);
    } else {
        remove(temporary);
    }
    free(temporary);
    return status;
}
