/* SPDX-License-Identifier: Apache-2.0
 * verbs/verify_answer.h: one answer that perp verify judges. */
#ifndef PERP_VERBS_VERIFY_ANSWER_H
#define PERP_VERBS_VERIFY_ANSWER_H

#include "command/campaign/contradiction.h"
#include "command/campaign/solution.h"
#include "command/verbs/forces.h"
#include "command/verbs/verbs.h"
#include "interop/exact/exact.h"

/** An answer, and what was found. Owns `s`, `proof` and `forces` (verify_answer_clear). */
typedef struct verify_answer {
    const char *path;
    const instance *in;
    solution *s;
    double tolerance;
    perp_measures m;
    bool judged, solved;
    bool certified;        /**< the certificate holds */
    double radius, margin; /**< of a direction of infeasibility (perp/certificate.h) */
    char says[256];        /**< of the certificate */
    bool exact;            /**< proofs were asked for */
    double seconds;        /**< that each of them may take */
    exact_proof proof;     /**< of z; its method is NULL where there is none */
    exact_proof denial;    /**< of a direction of infeasibility, the same */
    double exact_radius;   /**< of that */
    bool wants_forces;
    forces
        forces; /**< which of them are determined; empty where they were not asked for */
} verify_answer;

/** Read the file a->path and judge what it holds. */
perp_status verify_answer_read(verify_answer *a, perp_error *err);
void verify_answer_clear(verify_answer *a);
bool verify_answer_denies(
    const verify_answer *a); /**< has a direction of infeasibility */
/** Has a direction that is proved exactly, and no solution beside it. */
bool verify_answer_is_denied(const verify_answer *a);
/** Solved, and proved where this was asked for; a denial that is proved. */
bool verify_answer_holds(const verify_answer *a);
/** The exit status of perp verify. `pair` (NULL: none) is the worst pair of a solution and a
 *  certificate; an error of perp is CLI_BAD_INPUT and fills err. */
int verify_answers_status(const verify_answer *answers, size_t count,
                          const contradiction *pair, perp_error *err);

json_t *verify_answer_json(const verify_answer *a);
void verify_answer_print(const verify_answer *a);

/* Its part with --exact. */

perp_status verify_exact_run(verify_answer *a, perp_error *err);
/** The members "exact" of the answer and of its certificate; JSON null where there is none. */
json_t *verify_exact_json(const verify_answer *a);
json_t *verify_exact_denial_json(const verify_answer *a);
void verify_exact_print(const verify_answer *a);

#endif
