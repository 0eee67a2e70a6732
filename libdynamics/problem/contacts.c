/* SPDX-License-Identifier: Apache-2.0
 * problem/contacts.c: contacts written as rows.
 *
 * Along a direction d at the point p, with arms r from the centres of the two bodies,
 *
 *     J(d) = (-d, -(r_i x d), d, r_j x d):   J u = d.(velocity of j at p - that of i)
 *
 * so that positive along the normal is separating. Both bodies take the impulse at the
 * one point p, which conserves linear and angular momentum whatever the gap. Rows of a
 * contact:
 *
 *     frictionless        n
 *     cone, box           n, t1, t2          in the plane n, t with t = e_z x n
 *     cone with rolling   n, t1, t2, then angular rows along t1 and t2
 *     pyramid             n, d_1 .. d_eta    in the plane n, t, -t, which is exact there
 *
 * t1 follows the friction frame of a body, else n alone (perp_tangents).
 *
 * The normal's bias, a target of J u+ [m/s]:
 *
 *     gap > 0:  -gap/dt, so that the step may close the gap but not more; with
 *               restitution and an approach that closes it within the step, the
 *               rebound at once
 *     else:     max or sum of  min(erp/dt max(-gap - slop, 0), max_correction)  and of
 *               restitution: Newton's -e c_n- where the approach c_n- < 0 is faster than
 *               the threshold; Moreau's -e c_n- also where the bodies were separating, so
 *               that c_n+ + e c_n- >= 0 is complementary to the impulse; Poisson's law
 *               leaves the rows without restitution: its second phase gives e times the
 *               impulse again.
 *
 * The normal alone has the compliance K_cfm of the contact; friction is hard.
 *
 * Only Baumgarte's correction enters the velocity; split impulses and projection correct
 * beside it. One pass over the contacts writes everything once [erleben-2005], by the threads of
 * the scheme where all contacts have as many rows. */
#include <config.h>

#include <math.h>

#include <perp/dynamics/reduce.h>
#include <perp/dynamics/rotation.h>

#include "math/team.h"
#include "problem/parts.h"
#include "problem/writer.h"

enum { CONTACT_GRAIN = 256 /* contacts of a range: some ten microseconds */ };

/* What is the same for all contacts of a step. */
typedef struct contact_layout {
    const perp_world *world;
    const perp_state *state;
    const perp_scheme *scheme;
    unsigned dim;  /* rows of a contact without rolling friction */
    unsigned eta;  /* directions of the pyramid, else 0 */
    bool tangents; /* friction rows are along tangents */
    bool framed;   /* all contacts have three rows, n, t1, t2, kept as frames */
    bool soft;     /* one has a compliance */
    bool turned;   /* a body has a friction frame */
} contact_layout;

static inline void contact_row(const double d[3], const double r_i[3],
                               const double r_j[3], double *J)
{
    J[0] = -d[0];
    J[1] = -d[1];
    J[2] = -d[2];
    J[3] = d[1] * r_i[2] - d[2] * r_i[1];
    J[4] = d[2] * r_i[0] - d[0] * r_i[2];
    J[5] = d[0] * r_i[1] - d[1] * r_i[0];
    J[6] = d[0];
    J[7] = d[1];
    J[8] = d[2];
    J[9] = r_j[1] * d[2] - r_j[2] * d[1];
    J[10] = r_j[2] * d[0] - r_j[0] * d[2];
    J[11] = r_j[0] * d[1] - r_j[1] * d[0];
}

/* Rolling friction acts on the relative angular velocity along d, without force. */
static inline void contact_rolling_row(const double d[3], double *J)
{
    for (int c = 0; c < 3; c++) {
        J[c] = J[6 + c] = 0.0;
        J[3 + c] = -d[c];
        J[9 + c] = d[c];
    }
}

static inline void contact_arms(const perp_state *state, const perp_contact *c,
                                double r_i[3], double r_j[3])
{
    vec3_subtract(c->point, perp_body_pose(state, (size_t)c->i), r_i);
    vec3_subtract(c->point, perp_body_pose(state, (size_t)c->j), r_j);
}

void contact_row_of(const perp_state *state, const perp_contact *contact,
                    const double d[3], double J[12])
{
    double r_i[3];
    double r_j[3];

    contact_arms(state, contact, r_i, r_j);
    contact_row(d, r_i, r_j, J);
}

void pyramid_directions(const double t1[3], const double t2[3], unsigned eta, double *d)
{
    const double turn = 6.283185307179586476925286766559;

    for (unsigned h = 0; h < eta; h++) {
        double angle = turn * h / eta;

        for (int c = 0; c < 3; c++) {
            d[3 * h + (unsigned)c] = cos(angle) * t1[c] + sin(angle) * t2[c];
        }
    }
}

/* The friction frame that decides, of the body *k; NULL: neither body has one. */
static inline const double *contact_axis(const perp_world *w, const perp_contact *c,
                                         size_t *k)
{
    const size_t both[2] = {(size_t)(c->i < c->j ? c->i : c->j),
                            (size_t)(c->i < c->j ? c->j : c->i)};

    for (size_t b = 0; b < 2; b++) {
        const double *axis = w->friction_frame + 3 * both[b];

        if (axis[0] != 0.0 || axis[1] != 0.0 || axis[2] != 0.0) {
            *k = both[b];
            return axis;
        }
    }
    return NULL;
}

/* t2 = n x a normalized and t1 = t2 x n, a the friction frame in world axes; where it is
 * parallel to n, the tangents of n in the axes of the body. */
static inline void contact_tangents(const contact_layout *l, const perp_contact *c,
                                    double t1[3], double t2[3])
{
    const double parallel = 1e-3; /* rad: t1 keeps 13 digits */
    const double *n = c->normal;
    size_t k = 0;
    const double *axis = l->turned ? contact_axis(l->world, c, &k) : NULL;
    double m[3];

    if (!axis) {
        vec3_tangents(n, t1, t2);
        return;
    }
    perp_quat_rotate(perp_body_pose(l->state, k) + 3, axis, m);
    vec3_cross(n, m, t2);
    if (vec3_length(t2) < parallel) {
        perp_quat_rotate_back(perp_body_pose(l->state, k) + 3, n, m);
        vec3_tangents(m, t1, t2);
        perp_quat_rotate(perp_body_pose(l->state, k) + 3, t2, t2);
    }
    vec3_normalize(t2);
    vec3_cross(t2, n, t1);
}

/* Friction rows of one contact behind its normal. */
static void contact_friction(const contact_layout *l, const perp_contact *c,
                             const double r_i[3], const double r_j[3], bool rolling,
                             double *J)
{
    const double *n = c->normal;
    double t1[3];
    double t2[3];
    double d[3 * 64];

    if (l->world->dimension == 2) {
        const double t[3] = {-n[1], n[0], 0.0};
        const double back[3] = {n[1], -n[0], 0.0};

        contact_row(t, r_i, r_j, J);
        if (l->eta > 0) {
            contact_row(back, r_i, r_j, J + 12);
        }
        return;
    }
    contact_tangents(l, c, t1, t2);
    if (l->tangents) {
        contact_row(t1, r_i, r_j, J);
        contact_row(t2, r_i, r_j, J + 12);
        if (rolling) {
            contact_rolling_row(t1, J + 24);
            contact_rolling_row(t2, J + 36);
        }
        return;
    }
    pyramid_directions(t1, t2, l->eta, d);
    for (unsigned h = 0; h < l->eta; h++) {
        contact_row(d + 3 * (size_t)h, r_i, r_j, J + 12 * (size_t)h);
    }
}

/* J u of the normal of a contact. */
static inline double contact_approach(const contact_layout *l, const perp_contact *c,
                                      const double *J)
{
    return vec3_rate(J, perp_body_velocity(l->state, (size_t)c->i),
                     perp_body_velocity(l->state, (size_t)c->j));
}

/* The body that moves as k does, since joints without coordinates hold them: -1 where
 * impulses move neither. */
static inline int32_t contact_carrier(const perp_world *w, const perp_state *state,
                                      int32_t k)
{
    const perp_articulation *tree = w->reduced ? state->trees : NULL;
    int32_t link = -1;

    if (!tree || !world_moves(w, k)) {
        return world_moves(w, k) ? k : -1;
    }
    link = perp_world_link(w, (size_t)k);
    if (link < 0) {
        return k;
    }
    while (link >= 0 && tree->first[link + 1] == tree->first[link]) {
        link = tree->links[link].parent;
    }
    return link < 0 ? -1 : w->reduced->body[link];
}

/* The directions of a contact and its arms, as perp_pairs takes them; *c_n: its approach, where it
 * has restitution. */
static inline void contact_write_frame(const contact_layout *l, const perp_contact *c,
                                       double *frame, double *c_n)
{
    double J[12];

    vec3_copy(frame, c->normal);
    contact_tangents(l, c, frame + 3, frame + 6);
    contact_arms(l->state, c, frame + 9, frame + 12);
    if (c->restitution != 0.0) {
        contact_row(c->normal, frame + 9, frame + 12, J);
        *c_n = contact_approach(l, c, J);
    }
}

/* Rows J of a contact, and the same. */
static inline void contact_write_rows(const contact_layout *l, const perp_contact *c,
                                      size_t dim, double *J, double *c_n)
{
    double r_i[3];
    double r_j[3];

    contact_arms(l->state, c, r_i, r_j);
    contact_row(c->normal, r_i, r_j, J);
    if (dim > 1) {
        contact_friction(l, c, r_i, r_j, dim == 5 && l->tangents, J + 12);
    }
    if (c->restitution != 0.0) {
        *c_n = contact_approach(l, c, J);
    }
}

/* Rows `first` .. of a contact, number k of the frames where it is one. */
static inline void contact_write(const contact_layout *l, const perp_contact *c,
                                 size_t dim, size_t first, size_t k,
                                 const perp_rows *rows)
{
    const int32_t i = contact_carrier(l->world, l->state, c->i) < 0 ? -1 : c->i;
    const int32_t j = contact_carrier(l->world, l->state, c->j) < 0 ? -1 : c->j;
    int32_t *body = rows->body + 2 * (l->framed ? rows->frames_from + k : first);
    double c_n = 0.0;
    rows_target target;

    if (l->framed) {
        contact_write_frame(l, c, rows->frames + 15 * k, &c_n);
    } else {
        contact_write_rows(l, c, dim, rows->J + 12 * first, &c_n);
        rows->lo[first] = 0.0;
        rows->hi[first] = INFINITY;
    }
    for (size_t r = 0; r < (l->framed ? 1 : dim); r++) {
        *body++ = i;
        *body++ = j;
    }
    target = rows_contact_target(c, l->scheme, c_n);
    for (size_t r = first; r < first + dim; r++) {
        rows->bias[r] = rows->bias_position[r] = rows->bias_restitution[r] =
            rows->soft[r] = 0.0;
    }
    rows->bias[first] = target.bias;
    rows->bias_position[first] = target.bias_position;
    rows->bias_restitution[first] = target.bias_restitution;
    rows->soft[first] = c->cfm / l->scheme->dt;
}

static inline perp_row_block contact_block(const perp_contact *c, size_t source,
                                           size_t dim, size_t first)
{
    return (perp_row_block){.role = PERP_ROLE_CONTACT,
                            .dim = (uint8_t)dim,
                            .first = first,
                            .source = source,
                            .key = c->key};
}

static bool contact_cones(const perp_scheme *scheme)
{
    return scheme->model == PERP_MODEL_CONE || scheme->model == PERP_MODEL_ASSOCIATED;
}

static contact_layout contact_layout_of(const perp_world *world, const perp_state *state,
                                        const perp_contacts *contacts,
                                        const perp_scheme *scheme)
{
    contact_layout l = {
        .world = world, .state = state, .scheme = scheme, .dim = world->dimension};

    l.tangents = true;
    if (scheme->model == PERP_MODEL_FRICTIONLESS) {
        l.dim = 1;
        l.tangents = false;
    } else if (scheme->model == PERP_MODEL_PYRAMID) {
        l.eta = world->dimension == 2 ? 2 : scheme->eta;
        l.dim = 1 + l.eta;
        l.tangents = false;
    }
    l.framed = contact_cones(scheme) && l.dim == 3;
    for (size_t k = 0; k < contacts->count; k++) {
        l.framed = l.framed && contacts->at[k].mu_rolling == 0.0;
        l.soft = l.soft || contacts->at[k].cfm > 0.0;
    }
    for (size_t k = 0; k < 3 * world->body_count && !l.turned; k++) {
        l.turned = world->friction_frame[k] != 0.0;
    }
    return l;
}

/* Rolling friction is a cone in space; other models would silently leave it out. */
static perp_status contact_refuse_rolling(const contact_layout *l, const perp_contact *c,
                                          perp_error *err)
{
    const perp_world *w = l->world;

    return perp_fail(err, PERP_ERR_UNSUITABLE,
                     "rows: contact %s/%s has rolling friction %g m, but model %s does "
                     "not support it%s, expected cone or associated in three dimensions",
                     w->name[c->i], w->name[c->j], c->mu_rolling,
                     perp_model_names[l->scheme->model],
                     w->dimension == 2 ? " in the plane" : "");
}

static perp_status contact_check(const perp_world *w, const perp_contact *c, size_t k,
                                 perp_error *err)
{
    const int64_t n = (int64_t)w->body_count;

    if (!(c->i >= 0 && c->j >= 0 && c->i < n && c->j < n && c->i != c->j)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "rows: contact %zu is between bodies %d and %d, expected two "
                         "different bodies of %zu, from 0",
                         k, (int)c->i, (int)c->j, w->body_count);
    }
    if (!world_erp_valid(c->erp)) {
        return perp_fail(err, PERP_ERR_DATA,
                         "rows: erp of contact %zu is %g, expected 0 (that of the "
                         "scheme) .. 1, or PERP_ERP_NONE",
                         k, c->erp);
    }
    if (!(c->cfm >= 0.0 && isfinite(c->cfm))) {
        return perp_fail(err, PERP_ERR_DATA,
                         "rows: cfm of contact %zu is %g, expected a number >= 0 "
                         "[(m/s)/N]",
                         k, c->cfm);
    }
    return PERP_OK;
}

static perp_status contacts_reserve(perp_rows *rows, const contact_layout *l,
                                    size_t count, perp_error *err)
{
    if (count > SIZE_MAX / (l->dim + 5)) {
        return perp_fail(err, PERP_ERR_MEMORY, "rows: no memory for %zu contacts", count);
    }
    return rows_reserve(rows, rows->count + (l->framed ? 0 : count * l->dim),
                        l->framed ? count : 0, rows->block_count + count, err);
}

/* Whether all contacts are written, and have as many rows: where they go is known beforehand. */
static bool contacts_alike(const contact_layout *l, const perp_contacts *contacts)
{
    bool alike = !l->world->reduced;

    for (size_t k = 0; k < contacts->count && alike; k++) {
        const perp_contact *c = &contacts->at[k];

        alike = contact_check(l->world, c, k, NULL) == PERP_OK &&
                (l->framed || c->mu_rolling == 0.0 || l->dim == 1);
    }
    return alike;
}

typedef struct contacts_task {
    const contact_layout *l;
    const perp_contacts *contacts;
    const perp_rows *rows; /* with the blocks and rows before the contacts */
} contacts_task;

static void contacts_write_range(void *context, size_t first, size_t last)
{
    const contacts_task *t = context;
    const perp_rows *rows = t->rows;
    const size_t dim = t->l->dim;

    for (size_t k = first; k < last; k++) {
        const perp_contact *c = &t->contacts->at[k];
        const size_t row = rows->count + k * dim;

        rows->blocks[rows->block_count + k] = contact_block(c, k, dim, row);
        contact_write(t->l, c, dim, row, k, rows);
    }
}

static perp_status contacts_write_alike(perp_rows *rows, const contact_layout *l,
                                        const perp_contacts *contacts, perp_error *err)
{
    contacts_task task = {l, contacts, rows};
    math_team *team = rows->team;
    const bool ready = math_team_prepare(&team, l->scheme->threads);

    rows->team = team;
    if (!ready) {
        return perp_fail(err, PERP_ERR_MEMORY, "rows: no memory for %u threads",
                         l->scheme->threads);
    }
    math_team_run(team, contacts->count, CONTACT_GRAIN, contacts_write_range, &task);
    rows->count += contacts->count * l->dim;
    rows->block_count += contacts->count;
    rows->contact_blocks = contacts->count;
    rows->frames_from = l->framed ? rows->frames_from : rows->count;
    return PERP_OK;
}

perp_status rows_write_contacts(perp_rows *rows, const perp_world *world,
                                const perp_state *state, const perp_contacts *contacts,
                                const perp_scheme *scheme, perp_error *err)
{
    const contact_layout l = contact_layout_of(world, state, contacts, scheme);
    const size_t count = contacts->count;
    const size_t others = rows->block_count;
    size_t dim = l.dim;
    bool rolling = false;
    perp_status status = contacts_reserve(rows, &l, count, err);

    rows->any_soft = rows->any_soft || l.soft;
    if (status == PERP_OK && contacts_alike(&l, contacts)) {
        return contacts_write_alike(rows, &l, contacts, err);
    }
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        const perp_contact *c = &contacts->at[k];

        dim = l.dim;
        status = contact_check(world, c, k, err);
        if (status == PERP_OK && world->reduced &&
            contact_carrier(world, state, c->i) == contact_carrier(world, state, c->j)) {
            continue; /* nothing that an impulse could do */
        }
        if (status == PERP_OK && c->mu_rolling > 0.0 && l.dim > 1) {
            if (!contact_cones(scheme) || world->dimension == 2) {
                return contact_refuse_rolling(&l, c, err);
            }
            dim = 5;
            if (!rolling) { /* the first of them: from here on each may be one */
                status = rows_reserve(rows, rows->count + (count - k) * dim, 0,
                                      rows->block_count, err);
                rolling = true;
            }
        }
        if (status == PERP_OK) {
            rows->blocks[rows->block_count++] = contact_block(c, k, dim, rows->count);
            contact_write(&l, c, dim, rows->count, rows->block_count - others - 1, rows);
            rows->count += dim;
        }
    }
    rows->contact_blocks = status == PERP_OK ? rows->block_count - others : 0;
    rows->frames_from = l.framed ? rows->frames_from : rows->count;
    return status;
}
