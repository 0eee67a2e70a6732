/* SPDX-License-Identifier: Apache-2.0
 * families/scene.c: from bodies and contacts to W = J M^-1 J^T and b = J v.
 *
 * A row of a contact along the direction e at the point p is
 *     J v = e.(v_b + w_b x r_b) - e.(v_a + w_a x r_a),   r = p - x
 * so the block of a body is +-(e, r x e). Inertias are diagonal in the world frame. */
#include <config.h>

#include "command/cli/take.h"
#include "scene.h"

void scene_new(scene *s, size_t bodies, size_t contacts)
{
    s->body_count = bodies;
    s->contact_count = contacts;
    s->bodies = take(bodies + 1, sizeof *s->bodies);
    s->contacts = take(contacts + 1, sizeof *s->contacts);
}

void scene_free(scene *s)
{
    free(s->bodies);
    free(s->contacts);
    memset(s, 0, sizeof *s);
}

void scene_set_body(scene_body *body, double m, const double I[3], const double x[3])
{
    for (int k = 0; k < 3; k++) {
        body->inverse[k] = 1.0 / m;
        body->inverse[3 + k] = 1.0 / I[k];
        body->position[k] = x[k];
    }
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(double *a)
{
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);

    for (int k = 0; k < 3; k++) {
        a[k] /= length;
    }
}

void scene_tangent(scene_contact *c)
{
    /* An axis at more than 55 degrees from the normal: |n_x| < 1/sqrt(3). */
    const double near = 0.57735026918962576;
    const double axis[2][3] = {{1, 0, 0}, {0, 1, 0}};

    cross(c->normal, axis[fabs(c->normal[0]) < near ? 0 : 1], c->tangent);
    normalise(c->tangent);
}

void scene_flat_contact(scene_contact *c, long a, long b, const double point[3],
                        double mu)
{
    const double up[3] = {0, 0, 1};
    const double along[3] = {1, 0, 0};

    c->a = a;
    c->b = b;
    c->mu = mu;
    memcpy(c->point, point, sizeof c->point);
    memcpy(c->normal, up, sizeof c->normal);
    memcpy(c->tangent, along, sizeof c->tangent);
}

/* Six columns of one body in row k (0 n, 1 t1, 2 t2) of a contact. */
static void jacobian(const scene_contact *c, const scene_body *body, int k, double sign,
                     double *J)
{
    double r[3];
    double e[3];

    cross(c->normal, c->tangent, e); /* t2, unless k says otherwise */
    if (k < 2) {
        memcpy(e, k == 0 ? c->normal : c->tangent, sizeof e);
    }
    for (int i = 0; i < 3; i++) {
        r[i] = c->point[i] - body->position[i];
        J[i] = sign * e[i];
    }
    cross(r, J, J + 3);
}

/* One end of a contact at a body. */
typedef struct touch {
    size_t contact, next; /* next of the same body, from 1; 0 ends */
    double J[18];
} touch;

static void add_products(const scene_body *body, const touch *x, const touch *y,
                         size_t rows, family_draft *d)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < rows; j++) {
            double sum = 0.0;

            for (size_t k = 0; k < 6; k++) {
                sum += x->J[6 * i + k] * y->J[6 * j + k] * body->inverse[k];
            }
            family_entry(d, rows * x->contact + i, rows * y->contact + j, sum);
        }
    }
}

/* Chain the touches of each body, in the order of the contacts; counts the block pairs. */
static void chain_touches(const scene *s, touch *touches, size_t *first, size_t *last,
                          size_t *degree, size_t rows, size_t *pairs)
{
    size_t used = 1;

    for (size_t c = 0; c < s->contact_count; c++) {
        const scene_contact *contact = &s->contacts[c];
        const long ends[2] = {contact->a, contact->b};

        for (int end = 0; end < 2; end++) {
            size_t body = (size_t)ends[end];

            if (ends[end] == SCENE_GROUND) {
                continue;
            }
            touches[used].contact = c;
            touches[used].next = 0;
            for (size_t k = 0; k < rows; k++) {
                jacobian(contact, &s->bodies[body], (int)k, end ? 1.0 : -1.0,
                         touches[used].J + 6 * k);
            }
            if (first[body]) {
                touches[last[body]].next = used;
            } else {
                first[body] = used;
            }
            last[body] = used++;
            degree[body]++;
        }
    }
    *pairs = 0;
    for (size_t body = 0; body < s->body_count; body++) {
        *pairs += degree[body] * degree[body];
    }
}

static void fill_draft(const scene *s, const touch *touches, const size_t *first,
                       size_t rows, family_draft *d)
{
    for (size_t body = 0; body < s->body_count; body++) {
        const scene_body *B = &s->bodies[body];

        for (size_t x = first[body]; x; x = touches[x].next) {
            for (size_t k = 0; k < rows; k++) {
                for (size_t m = 0; m < 6; m++) {
                    d->b[rows * touches[x].contact + k] +=
                        touches[x].J[6 * k + m] * B->velocity[m];
                }
            }
            for (size_t y = first[body]; y; y = touches[y].next) {
                add_products(B, &touches[x], &touches[y], rows, d);
            }
        }
    }
}

void scene_draft(const scene *s, scene_rows rows, family_draft *d)
{
    size_t edge = (size_t)rows;
    touch *touches = take(2 * s->contact_count + 1, sizeof *touches);
    size_t *first = take(s->body_count + 1, 3 * sizeof *first);
    size_t *last = first + s->body_count, *degree = last + s->body_count;
    size_t pairs = 0;

    chain_touches(s, touches, first, last, degree, edge, &pairs);
    family_sparse(d, edge * s->contact_count, pairs * edge * edge);
    fill_draft(s, touches, first, edge, d);
    free(touches);
    free(first);
}

perp_status scene_cones(const scene *s, family_draft *d, perp_error *err)
{
    perp_status status = perp_set_new(&d->set, s->contact_count, err);

    for (size_t k = 0; status == PERP_OK && k < s->contact_count; k++) {
        perp_set_add_cone(d->set, 3, s->contacts[k].mu);
    }
    return status;
}

perp_status scene_finish(family_draft *d, family_answer answer, perp_problem **p,
                         perp_error *err)
{
    perp_operator *blocks = NULL;
    perp_operator *csr = NULL;
    perp_status status = perp_triplets_finish(&csr, &d->triplets, err);

    if (status == PERP_OK) {
        status = perp_operator_convert(&blocks, csr, PERP_STORAGE_BSR, 3, err);
    }
    perp_operator_free(csr);
    if (status != PERP_OK) {
        family_drop(d);
        return status;
    }
    d->A = blocks;
    return family_finish(d, answer, p, err);
}

/* The arrays of rows on two bodies. */
typedef struct pair_arrays {
    double *J, *inverse_mass, *inverse_inertia;
    int32_t *body;
} pair_arrays;

static void fill_pairs(const scene *s, pair_arrays *a)
{
    for (size_t k = 0; k < s->body_count; k++) {
        a->inverse_mass[k] = s->bodies[k].inverse[0];
        for (size_t i = 0; i < 3; i++) {
            a->inverse_inertia[9 * k + 4 * i] = s->bodies[k].inverse[3 + i];
        }
    }
    for (size_t row = 0; row < 3 * s->contact_count; row++) {
        const scene_contact *c = &s->contacts[row / 3];
        const long ends[2] = {c->a, c->b};

        for (size_t end = 0; end < 2; end++) {
            a->body[2 * row + end] = (int32_t)ends[end];
            if (ends[end] != SCENE_GROUND) {
                jacobian(c, &s->bodies[ends[end]], (int)(row % 3), end ? 1.0 : -1.0,
                         a->J + 12 * row + 6 * end);
            }
        }
    }
}

perp_status scene_factors(const scene *s, perp_operator **A, perp_error *err)
{
    pair_arrays a = {.J = take(36 * s->contact_count + 1, sizeof *a.J),
                     .inverse_mass = take(s->body_count + 1, sizeof *a.J),
                     .inverse_inertia = take(9 * s->body_count + 1, sizeof *a.J),
                     .body = take(6 * s->contact_count + 1, sizeof *a.body)};
    perp_pairs pairs = {.rows = 3 * s->contact_count,
                        .bodies = s->body_count,
                        .body = a.body,
                        .J = a.J,
                        .inverse_mass = a.inverse_mass,
                        .inverse_inertia = a.inverse_inertia};
    perp_operator *borrowed = NULL;
    perp_status status = PERP_OK;

    *A = NULL;
    fill_pairs(s, &a);
    status = perp_operator_new_pairs(&borrowed, &pairs, err);
    if (status == PERP_OK) {
        status = perp_operator_copy(A, borrowed, err);
    }
    perp_operator_free(borrowed);
    free(a.J);
    free(a.inverse_mass);
    free(a.inverse_inertia);
    free(a.body);
    return status;
}

static void cloud_body(scene_body *body, perp_random *g)
{
    double m = pow(10.0, perp_random_uniform(g, -1.0, 1.0));
    double I[3];
    double draw[9];

    for (int k = 0; k < 3; k++) {
        I[k] = 0.1 * m * perp_random_uniform(g, 0.5, 1.5);
    }
    for (int k = 0; k < 9; k++) {
        draw[k] = perp_random_uniform(g, -1.0, 1.0);
    }
    scene_set_body(body, m, I, draw);
    memcpy(body->velocity, draw + 3, sizeof body->velocity);
    body->velocity[2] -= scene_step * scene_gravity;
}

static void cloud_contact(const scene *s, scene_contact *c, perp_random *g, double mu_low,
                          double mu_high)
{
    static const double below[3] = {0.0, 0.0, -1.5}; /* where the ground stands for */
    const double *xa = below;
    const double *xb = NULL;

    c->a = perp_random_integer(g, -1, (long)s->body_count - 1);
    do {
        c->b = perp_random_integer(g, 0, (long)s->body_count - 1);
    } while (c->b == c->a);
    xa = c->a == SCENE_GROUND ? below : s->bodies[c->a].position;
    xb = s->bodies[c->b].position;
    for (int k = 0; k < 3; k++) {
        c->normal[k] = xb[k] - xa[k] + 0.3 * perp_random_uniform(g, -1.0, 1.0);
    }
    normalise(c->normal);
    for (int k = 0; k < 3; k++) {
        c->point[k] = (xa[k] + xb[k]) / 2.0 + 0.2 * perp_random_uniform(g, -1.0, 1.0);
    }
    c->mu = perp_random_uniform(g, mu_low, mu_high);
    scene_tangent(c);
}

void scene_cloud(scene *s, size_t nc, size_t nb, uint64_t seed, double mu_low,
                 double mu_high)
{
    perp_random g = {seed};

    scene_new(s, nb, nc);
    for (size_t i = 0; i < nb; i++) {
        cloud_body(&s->bodies[i], &g);
    }
    for (size_t k = 0; k < nc; k++) {
        cloud_contact(s, &s->contacts[k], &g, mu_low, mu_high);
    }
}

perp_status scene_problem(scene *s, perp_problem **p, perp_error *err)
{
    family_draft d;
    perp_status status = PERP_OK;

    *p = NULL;
    scene_draft(s, SCENE_CONES, &d);
    status = scene_cones(s, &d, err);
    scene_free(s);
    if (status != PERP_OK) {
        family_drop(&d);
        return status;
    }
    return scene_finish(&d, FAMILY_NO_ANSWER, p, err);
}

void scene_box_inertia(double m, const double half[3], double I[3])
{
    for (int k = 0; k < 3; k++) {
        double a = 2.0 * half[(k + 1) % 3];
        double b = 2.0 * half[(k + 2) % 3];

        I[k] = m / 12.0 * (a * a + b * b);
    }
}
