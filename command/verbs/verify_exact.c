/* SPDX-License-Identifier: Apache-2.0
 * verbs/verify_exact.c: an answer of perp verify, proved. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "command/cli/answer.h"
#include "command/verbs/verify_answer.h"

enum { EXACT_WORST = 5 }; /* rows that the text lists; JSON has all */

perp_status verify_exact_run(verify_answer *a, perp_error *err)
{
    const perp_problem *p = a->in->problem;
    perp_status status = PERP_OK;

    if (a->judged) {
        status = exact_solution(p, a->s->z, a->seconds, &a->proof, err);
    }
    if (status == PERP_OK && verify_answer_denies(a)) {
        status =
            exact_denial(p, a->s->certificate.c.y, &a->exact_radius, &a->denial, err);
    }
    return status;
}

json_t *verify_exact_json(const verify_answer *a)
{
    const exact_proof *proof = &a->proof;
    bool proved = proof->verdict == EXACT_PROVED;

    if (!proof->method) {
        return json_null();
    }
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s}", "verdict",
        exact_verdict_name(proof->verdict), "method", proof->method, "delta",
        proved ? answer_real(proof->delta) : json_null(), "distance",
        proved ? answer_vector(proof->distance, a->in->problem->n) : json_null(),
        "unique", proved ? json_boolean(proof->unique) : json_null(), "row",
        proof->verdict == EXACT_REFUTED ? json_integer((json_int_t)proof->row)
                                        : json_null(),
        "changes", proved ? json_integer((json_int_t)proof->changes) : json_null(),
        "says", proof->says);
}

json_t *verify_exact_denial_json(const verify_answer *a)
{
    if (!a->denial.method) {
        return json_null();
    }
    return json_pack(
        "{s:s, s:o, s:s}", "verdict", exact_verdict_name(a->denial.verdict), "radius",
        isfinite(a->exact_radius) ? json_real(a->exact_radius) : json_string("infinity"),
        "says", a->denial.says);
}

/* "farthest: row 3 within 1.2e-17, row 0 within 5e-18": the largest distances. */
static void exact_print_worst(const double *distance, size_t n)
{
    double least = INFINITY;
    char room[PERP_NUMBER_LENGTH];

    for (size_t count = 0, last = n; count < EXACT_WORST; count++) {
        size_t worst = n;

        /* The next one in the order of distances, then of rows. */
        for (size_t i = 0; i < n; i++) {
            bool after = distance[i] < least || (distance[i] == least && i > last);

            if (after && (worst == n || distance[i] > distance[worst])) {
                worst = i;
            }
        }
        if (worst == n || distance[worst] == 0.0) {
            break;
        }
        printf("%srow %zu within %s", count > 0 ? ", " : "  farthest: ", worst,
               perp_number_above(room, distance[worst]));
        least = distance[worst];
        last = worst;
        if (count + 1 == EXACT_WORST) {
            break;
        }
    }
}

static void exact_print(const exact_proof *proof, size_t n)
{
    if (!proof->method) {
        return;
    }
    printf("exact: ");
    output_print(stdout, proof->verdict == EXACT_PROVED ? OUTPUT_GOOD : OUTPUT_BAD, "%s",
                 exact_verdict_name(proof->verdict));
    printf(": %s\n", proof->says);
    if (proof->verdict == EXACT_PROVED && proof->distance && proof->delta > 0.0) {
        exact_print_worst(proof->distance, n);
        printf("\n");
    }
}

/* A proof that there is no solution leaves nothing to say of the point beside it, unless that
 * is one: then the proof holds within its radius alone. */
void verify_exact_print(const verify_answer *a)
{
    if (!verify_answer_is_denied(a)) {
        exact_print(&a->proof, a->in->problem->n);
    }
    exact_print(&a->denial, 0);
}
