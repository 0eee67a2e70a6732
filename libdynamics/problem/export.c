/* SPDX-License-Identifier: Apache-2.0
 * problem/export.c: problems that own all they have, with every row named and every block
 * labelled; A as the step has it in factors, or multiplied out: in blocks where all are of one
 * size, else in rows. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "problem/parts.h"

char *system_names(const perp_system *system, const perp_world *world,
                   const perp_contacts *contacts, const size_t *order, size_t n)
{
    char name[256];
    char *text = NULL;
    size_t length = 1;

    for (int pass = 0; pass < 2; pass++) {
        size_t at = 0;

        for (size_t r = 0; r < n; r++) {
            int written = 0;

            perp_system_name(system, world, contacts, order ? order[r] : r, name,
                             sizeof name);
            written = snprintf(text ? text + at : NULL, text ? length - at : 0,
                               "row %zu: %s\n", r, name);
            at += (size_t)(written > 0 ? written : 0);
        }
        if (!text) {
            length = at + 1;
            text = calloc(length, 1);
        }
        if (!text) {
            return NULL;
        }
    }
    return text;
}

char *system_title(const perp_system *system)
{
    const system_own *own = system->own;
    const perp_rows *rows = &system->rows;
    char coordinates[64] = "";
    char text[256];
    const size_t joints = rows->block_count - rows->contact_blocks;
    const size_t joint_rows =
        rows->contact_blocks > 0 ? rows->blocks[joints].first : rows->count;

    if (own->reduced.tree) {
        snprintf(coordinates, sizeof coordinates, ", %zu reduced coordinate%s",
                 own->reduced.n, perp_plural(own->reduced.n));
    } else if (system->mass) {
        snprintf(coordinates, sizeof coordinates, ", implicit forces in M");
    }
    snprintf(text, sizeof text,
             "friction %s, %zu contact%s, %zu row%s of joints and their "
             "axes, %zu %s%s",
             perp_model_names[own->model], rows->contact_blocks,
             perp_plural(rows->contact_blocks), joint_rows, perp_plural(joint_rows),
             system->bodies, system->bodies == 1 ? "body" : "bodies", coordinates);
    return perp_text_new(text);
}

static perp_status export_matrix(perp_operator **A, const perp_system *system,
                                 const perp_contacts *contacts, perp_storage storage,
                                 perp_error *err)
{
    const perp_problem *from = &system->problem;
    const system_matrix m = system_parts(system, contacts);

    if (storage == PERP_STORAGE_FACTORED && perp_operator_in_factors(from->A)) {
        return perp_operator_copy(A, from->A, err);
    }
    return system_multiply(
        A, &m, perp_set_block_size(from->set) > 1 ? PERP_STORAGE_BSR : PERP_STORAGE_CSR,
        err);
}

static perp_status export_fill(perp_problem *p, const perp_system *system,
                               const perp_world *world, const perp_contacts *contacts,
                               perp_storage storage, perp_error *err)
{
    const perp_problem *from = &system->problem;
    perp_status status = PERP_OK;

    TRY(perp_set_copy(&p->set, from->set, err));
    TRY(export_matrix(&p->A, system, contacts, storage, err));
    p->n = from->n;
    p->law = from->law;
    p->b = perp_reals_new(p->n);
    p->title = system_title(system);
    p->description = system_names(system, world, contacts, NULL, p->n);
    if (!p->b || !p->title || !p->description) {
        return perp_fail(err, PERP_ERR_MEMORY, "system: no memory to export %zu rows",
                         p->n);
    }
    memcpy(p->b, from->b, p->n * sizeof *p->b);
    status = system_labels(system, world, contacts, p->set, NULL, &p->labels, err);
    return status == PERP_OK ? system_origin(&p->origin, err) : status;
}

perp_status system_ready(const perp_system *system, perp_error *err)
{
    return system->own && system->problem.set
               ? PERP_OK
               : perp_fail(err, PERP_ERR_ARGUMENT,
                           "system: empty, expected a formulated problem to export");
}

perp_status perp_system_export(const perp_system *system, const perp_world *world,
                               const perp_contacts *contacts, perp_storage storage,
                               perp_problem **p, perp_error *err)
{
    perp_status status = system_ready(system, err);

    *p = NULL;
    if (status == PERP_OK) {
        status = perp_problem_new(p, err);
    }
    if (status == PERP_OK) {
        status = export_fill(*p, system, world, contacts, storage, err);
    }
    if (status != PERP_OK) {
        perp_problem_free(*p);
        *p = NULL;
    }
    return status;
}
