/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence_write.c: a sequence as one HDF5 file, in the layout of sequence_read.c. One
 * item at a time is in memory; no times are stored, so that the same sequence gives the same
 * bytes. */
#include <config.h>

#include "base/base.h"
#include "meta_hdf5.h"
#include "sequence.h"

/* One array per parameter, present when a block needs it. */
static void write_parameter(perp_h5_file *f, const char *group, const char *name,
                            const perp_set *set, unsigned kinds, size_t offset)
{
    char inside[PERP_H5_PATH];
    double *x = NULL;

    if (!(perp_set_kinds(set) & kinds)) {
        return;
    }
    x = perp_reals_new(set->count);
    if (!x) {
        perp_h5_write_fail(f, PERP_ERR_MEMORY, group, "no memory for its blocks");
        return;
    }
    for (size_t k = 0; k < set->count; k++) {
        memcpy(&x[k], (const char *)&set->blocks[k] + offset, sizeof x[k]);
    }
    perp_h5_write_reals(f, perp_h5_join(inside, group, name), set->count, x);
    free(x);
}

/* Integers of blocks: their kinds (the bits of PERP_SET_…), dimensions, normal rows. */
static void write_shapes(perp_h5_file *f, const char *group, const perp_set *set)
{
    char inside[PERP_H5_PATH];
    int32_t *narrow = calloc(2 * set->count + 1, sizeof *narrow);
    int64_t *wide = calloc(set->count + 1, sizeof *wide);

    if (narrow && wide) {
        for (size_t k = 0; k < set->count; k++) {
            narrow[k] = (int32_t)set->blocks[k].kind;
            narrow[set->count + k] = (int32_t)set->blocks[k].dim;
            wide[k] = (int64_t)set->blocks[k].normal;
        }
        perp_h5_write_integers(f, perp_h5_join(inside, group, "kind"), set->count,
                               narrow);
        perp_h5_write_integers(f, perp_h5_join(inside, group, "dim"), set->count,
                               narrow + set->count);
        if (perp_set_kinds(set) & PERP_SET_FRICTION) {
            perp_h5_write_wide(f, perp_h5_join(inside, group, "normal"), set->count,
                               wide);
        }
    } else {
        perp_h5_write_fail(f, PERP_ERR_MEMORY, group, "no memory for its blocks");
    }
    free(narrow);
    free(wide);
}

static void write_set(perp_h5_file *f, const char *group, const perp_set *set)
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

    perp_h5_write_group(f, group);
    write_shapes(f, group, set);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        write_parameter(f, group, parameters[i].name, set, parameters[i].kinds,
                        parameters[i].offset);
    }
}

static void write_global(perp_h5_file *f, const char *step, const perp_global *g)
{
    char group[PERP_H5_PATH];
    char inside[PERP_H5_PATH];

    perp_h5_write_group(f, perp_h5_join(group, step, "global"));
    perp_sequence_write_matrix(f, perp_h5_join(inside, group, "M"), g->M);
    perp_sequence_write_matrix(f, perp_h5_join(inside, group, "H"), g->H);
    if (g->G) {
        perp_sequence_write_matrix(f, perp_h5_join(inside, group, "G"), g->G);
    }
    perp_h5_write_reals(f, perp_h5_join(inside, group, "f"), g->M->rows, g->f);
}

static void write_texts(perp_h5_file *f, const char *step, const perp_problem *p)
{
    const char *const texts[][2] = {{"name", p->name},
                                    {"title", p->title},
                                    {"description", p->description},
                                    {"math_info", p->math_info}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char inside[PERP_H5_PATH];

        perp_h5_write_text(f, perp_h5_join(inside, step, texts[i][0]), texts[i][1]);
    }
}

static void write_point(perp_h5_file *f, const char *group, const perp_problem *p,
                        const perp_point *point)
{
    char inside[PERP_H5_PATH];

    perp_h5_write_group(f, group);
    if (point->z) {
        perp_h5_write_reals(f, perp_h5_join(inside, group, "z"), p->n, point->z);
    }
    if (point->w) {
        perp_h5_write_reals(f, perp_h5_join(inside, group, "w"), p->n, point->w);
    }
    if (point->v && p->global) {
        perp_h5_write_reals(f, perp_h5_join(inside, group, "v"), p->global->M->rows,
                            point->v);
    }
}

static void write_points(perp_h5_file *f, const char *step, const perp_problem *p)
{
    char group[PERP_H5_PATH];

    if (p->solution) {
        write_point(f, perp_h5_join(group, step, "solution"), p, p->solution);
    }
    if (p->guess_count > 0) {
        perp_h5_write_group(f, perp_h5_join(group, step, "guesses"));
    }
    for (size_t k = 0; k < p->guess_count; k++) {
        char name[40];

        snprintf(name, sizeof name, "guesses/%zu", k);
        write_point(f, perp_h5_join(group, step, name), p, &p->guesses[k]);
    }
}

/* Labels and origin of a step. The texts of the first origin are kept in *shared for the steps
 * behind it, and written once. */
static void write_meta(perp_h5_file *f, const char *step, const perp_problem *p,
                       perp_origin **shared)
{
    char inside[PERP_H5_PATH];
    perp_error fault = {0};

    if (p->origin && !*shared) {
        if (perp_origin_copy(shared, p->origin, &fault) != PERP_OK) {
            perp_h5_write_fail(f, fault.status, step, fault.text);
            return;
        }
        (*shared)->step = 0;
        (*shared)->timed = false;
        (*shared)->hash = 0;
        perp_h5_write_group(f, "/perp");
        perp_meta_h5_write(f, PERP_META_H5, &(perp_problem){.origin = *shared}, NULL);
    }
    perp_meta_h5_write(f, perp_h5_join(inside, step, "meta"), p, *shared);
}

static void write_item(perp_h5_file *f, size_t i, const perp_sequence_item *item,
                       perp_origin **shared)
{
    const perp_problem *p = item->problem;
    const char *law = p->law == PERP_LAW_ASSOCIATED ? "associated" : "coulomb";
    char group[PERP_H5_PATH];
    char inside[PERP_H5_PATH];

    snprintf(group, sizeof group, "/steps/%zu", i);
    perp_h5_write_group(f, group);
    perp_h5_write_attribute_real(f, group, "t", item->t);
    perp_h5_write_attribute_real(f, group, "h", item->h);
    perp_h5_write_attribute_text(f, group, "law", law);
    perp_h5_write_words(f, perp_h5_join(inside, group, "keys"), p->set->count,
                        item->keys);
    write_set(f, perp_h5_join(inside, group, "set"), p->set);
    perp_h5_write_reals(f, perp_h5_join(inside, group, "b"), p->n, p->b);
    if (p->A) {
        perp_sequence_write_matrix(f, perp_h5_join(inside, group, "A"), p->A);
    }
    if (p->global) {
        write_global(f, group, p->global);
    }
    write_texts(f, group, p);
    write_meta(f, group, p, shared);
    write_points(f, group, p);
}

static perp_status write_sequence(perp_file_out *out, const perp_sequence *s,
                                  size_t first, size_t count, perp_error *err)
{
    perp_h5_file f = {0};
    perp_origin *shared = NULL;
    perp_status status = perp_h5_create(&f, out, err);

    perp_h5_write_attribute_text(&f, "/", "format", SEQUENCE_FORMAT);
    perp_h5_write_attribute(&f, "/", "version", SEQUENCE_VERSION);
    perp_h5_write_attribute_text(&f, "/", "name", s->name);
    perp_h5_write_attribute(&f, "/", "count", count);
    status = perp_h5_write_group(&f, "/steps");
    for (size_t i = 0; status == PERP_OK && i < count; i++) {
        perp_sequence_item item;

        status = perp_sequence_get(s, first + i, &item, err);
        if (status == PERP_OK) {
            write_item(&f, i, &item, &shared);
            status = f.status;
        }
        perp_sequence_item_clear(&item);
    }
    perp_origin_free(shared);
    if (status != PERP_OK) {
        perp_h5_close(&f);
        return status;
    }
    return perp_h5_close(&f);
}

perp_status perp_sequence_file_write(const perp_sequence *s, size_t first, size_t count,
                                     const char *path, perp_error *err)
{
    perp_file_out out;
    perp_status status = PERP_OK;

    TRY(perp_file_create(&out, path, err));
    status = write_sequence(&out, s, first, count, err);
    if (status != PERP_OK) {
        perp_file_abandon(&out);
        return status;
    }
    return perp_file_commit(&out, err);
}

static perp_status sequence_write(const perp_sequence *s, const char *path,
                                  perp_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;

    if (perp_path_ends(path, ".hdf5") || perp_path_ends(path, ".h5") ||
        perp_file_descriptor(path) >= 0) {
        return perp_sequence_file_write(s, 0, s->count, path, err);
    }
    if (strchr(name, '.')) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "%s: a sequence is written as one HDF5 file or a folder of them, "
            "expected a name that ends in .hdf5, or one without an extension",
            path);
    }
    return perp_sequence_folder_write(s, path, err);
}

perp_status perp_sequence_write(const perp_sequence *s, const char *path, perp_error *err)
{
    if (perp_check_arguments(s && path, "perp_sequence_write", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }
    return sequence_write(s, path, err);
}
