/* SPDX-License-Identifier: Apache-2.0
 * families/scene.c: from bodies and contacts to W = J M^-1 J^T and b = J v.
 *
 * A row of a contact along the direction e at the point p is
 *     J v = e.(v_b + w_b x r_b) - e.(v_a + w_a x r_a),   r = p - x
 * so the block of a body is +-(e, r x e). Inertias are diagonal in the world frame. */
#include <config.h>

#include "scene.h"

perp_status scene_new(scene *s, size_t bodies, size_t contacts, perp_error *err)
{
    s->body_count = bodies;
    s->contact_count = contacts;
    s->bodies = calloc(bodies + 1, sizeof *s->bodies);
    s->contacts = calloc(contacts + 1, sizeof *s->contacts);
    if (!s->bodies || !s->contacts) {
        scene_free(s);
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu bodies, %zu contacts",
                         bodies, contacts);
    }
    return PERP_OK;
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

/* The scene as rows on two bodies, with arrays of its own. */
typedef struct scene_pairs {
    perp_pairs pairs;
    double *J, *inverse_mass, *inverse_inertia, *velocity;
    int32_t *body;
} scene_pairs;

static void pairs_close(scene_pairs *x)
{
    free(x->J);
    free(x->inverse_mass);
    free(x->inverse_inertia);
    free(x->velocity);
    free(x->body);
}

static perp_status pairs_open(scene_pairs *x, const scene *s, size_t rows,
                              perp_error *err)
{
    const size_t n = rows * s->contact_count;

    *x = (scene_pairs){0};
    x->J = calloc(n + 1, 12 * sizeof *x->J);
    x->body = calloc(n + 1, 2 * sizeof *x->body);
    x->inverse_mass = perp_reals_new(s->body_count);
    x->inverse_inertia = calloc(s->body_count + 1, 9 * sizeof *x->inverse_inertia);
    x->velocity = calloc(s->body_count + 1, 6 * sizeof *x->velocity);
    if (!x->J || !x->body || !x->inverse_mass || !x->inverse_inertia || !x->velocity) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu contacts",
                         s->contact_count);
    }
    x->pairs = (perp_pairs){.rows = n,
                            .J = x->J,
                            .body = x->body,
                            .bodies = s->body_count,
                            .inverse_mass = x->inverse_mass,
                            .inverse_inertia = x->inverse_inertia};
    return PERP_OK;
}

static void pairs_fill(scene_pairs *x, const scene *s, size_t rows)
{
    for (size_t k = 0; k < s->body_count; k++) {
        const scene_body *body = &s->bodies[k];

        x->inverse_mass[k] = body->inverse[0];
        for (size_t c = 0; c < 3; c++) {
            x->inverse_inertia[9 * k + 4 * c] = body->inverse[3 + c];
        }
        memcpy(x->velocity + 6 * k, body->velocity, sizeof body->velocity);
    }
    for (size_t i = 0; i < rows * s->contact_count; i++) {
        const scene_contact *contact = &s->contacts[i / rows];
        const long ends[2] = {contact->a, contact->b};

        for (size_t end = 0; end < 2; end++) {
            x->body[2 * i + end] = (int32_t)ends[end]; /* SCENE_GROUND is -1 there too */
            if (ends[end] != SCENE_GROUND) {
                jacobian(contact, &s->bodies[ends[end]], (int)(i % rows),
                         end ? 1.0 : -1.0, x->J + 12 * i + 6 * end);
            }
        }
    }
}

/* W symmetric bit by bit, where the product of rows is so up to rounding. */
static perp_status pairs_multiply(perp_operator **W, const perp_operator *A,
                                  perp_storage storage, perp_error *err)
{
    perp_operator *product = NULL;
    perp_status status = perp_operator_convert(&product, A, storage,
                                               storage == PERP_STORAGE_BSR ? 3 : 1, err);

    if (status == PERP_OK) {
        status = perp_operator_symmetric_part(W, product, err);
    }
    perp_operator_free(product);
    return status;
}

perp_status scene_draft(const scene *s, scene_rows rows, perp_storage storage,
                        family_draft *d, perp_error *err)
{
    scene_pairs x;
    perp_operator *A = NULL;
    perp_operator *W = NULL;
    perp_status status = pairs_open(&x, s, (size_t)rows, err);

    memset(d, 0, sizeof *d);
    if (status == PERP_OK) {
        pairs_fill(&x, s, (size_t)rows);
        status = perp_operator_new_pairs(&A, &x.pairs, err);
    }
    if (status == PERP_OK) {
        status = pairs_multiply(&W, A, storage, err);
    }
    if (status == PERP_OK) {
        status = family_matrix(d, W, err);
    }
    if (status == PERP_OK) {
        perp_factored_rows_dot(A, 0, A->rows, x.velocity, d->b);
    }
    perp_operator_free(A);
    pairs_close(&x);
    return status;
}

perp_status scene_cones(const scene *s, family_draft *d, perp_error *err)
{
    perp_status status = perp_set_new(&d->set, s->contact_count, err);

    for (size_t k = 0; status == PERP_OK && k < s->contact_count; k++) {
        perp_set_add_cone(d->set, 3, s->contacts[k].mu);
    }
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

perp_status scene_cloud(scene *s, size_t nc, size_t nb, uint64_t seed, double mu_low,
                        double mu_high, perp_error *err)
{
    perp_random g = {seed};
    perp_status status = scene_new(s, nb, nc, err);

    for (size_t i = 0; status == PERP_OK && i < nb; i++) {
        cloud_body(&s->bodies[i], &g);
    }
    for (size_t k = 0; status == PERP_OK && k < nc; k++) {
        cloud_contact(s, &s->contacts[k], &g, mu_low, mu_high);
    }
    return status;
}

perp_status scene_problem(scene *s, perp_problem **p, perp_error *err)
{
    family_draft d;
    perp_status status = scene_draft(s, SCENE_CONES, PERP_STORAGE_BSR, &d, err);

    *p = NULL;
    if (status == PERP_OK) {
        status = scene_cones(s, &d, err);
    }
    scene_free(s);
    if (status != PERP_OK) {
        family_drop(&d);
        return status;
    }
    return family_finish(&d, FAMILY_NO_ANSWER, p, err);
}

void scene_box_inertia(double m, const double half[3], double I[3])
{
    for (int k = 0; k < 3; k++) {
        double a = 2.0 * half[(k + 1) % 3];
        double b = 2.0 * half[(k + 2) % 3];

        I[k] = m / 12.0 * (a * a + b * b);
    }
}
