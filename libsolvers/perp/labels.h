/* SPDX-License-Identifier: Apache-2.0
 * perp/labels.h: what the blocks of a problem are called, and where the problem comes from.
 *
 * Both are for people and for other programs: no solver reads them, and the hash of a problem
 * does not depend on them. They travel with a problem from a scene into files and back. */
#ifndef PERP_LABELS_H
#define PERP_LABELS_H

#include <perp/base.h>

PERP_BEGIN_DECLS

/** What a block of K comes from, and its name. */
#define PERP_LABEL_LIST(X)                                                               \
    X(PERP_LABEL_OTHER, "other") /* not known, or none of these */                       \
    X(PERP_LABEL_CONTACT, "contact")                                                     \
    X(PERP_LABEL_JOINT, "joint")                                                         \
    X(PERP_LABEL_LIMIT, "limit")                                                         \
    X(PERP_LABEL_MOTOR, "motor")                                                         \
    X(PERP_LABEL_SPRING, "spring")                                                       \
    X(PERP_LABEL_AUXILIARY, "auxiliary") /* a row of a formulation, as of the pyramid */

typedef enum perp_label_kind {
#define PERP_ENUM(name, text) name,
    PERP_LABEL_LIST(PERP_ENUM)
#undef PERP_ENUM
} perp_label_kind;

/** The index of a label that has none. */
#define PERP_LABEL_NO_INDEX SIZE_MAX

/** One block of the set. Texts are on the heap (perp_text_new), or NULL when unknown. */
typedef struct perp_label {
    perp_label_kind kind;
    char *name;       /**< "contact box/floor", "limit elbow (lower)" */
    char *body[2];    /**< names of its two bodies */
    char *joint;      /**< name of its joint */
    size_t index;     /**< number of the contact or joint in the source, from 0 */
    bool placed;      /**< whether point, normal and gap are known */
    double point[3];  /**< [m], world axes */
    double normal[3]; /**< unit, world axes, from body 0 to body 1 */
    double gap;       /**< [m], negative in penetration */
    double mu;        /**< friction coefficient of the contact; negative: unknown */
    uint64_t key;     /**< identity from step to step; 0: none */
} perp_label;

/** Labels of a problem, one per block of its set, in the order of the blocks. */
typedef struct perp_labels {
    size_t count;
    perp_label *at; /**< count */
} perp_labels;

/** Where a problem comes from. Texts are on the heap, or NULL when unknown. */
typedef struct perp_origin {
    char *source;    /**< scene, file or program: "scene:wall:n=3", "box-stack.json" */
    char *version;   /**< of the program that made the problem: "perp 1.0.0" */
    char *units;     /**< "z N s, w m/s" */
    char *licence;   /**< SPDX identifier */
    size_t step;     /**< number of the step, from 1; 0: none */
    bool timed;      /**< whether time and dt are known */
    double time, dt; /**< time at the end of the step, and its length [s] */
    uint64_t hash;   /**< perp_problem_hash of the problem as it was made; 0: unknown */
} perp_origin;

/** `count` labels that know nothing: kind OTHER, no texts, no index, mu unknown. */
perp_status perp_labels_new(perp_labels **labels, size_t count, perp_error *err);
/** Frees the texts, too. NULL is allowed (no-op). */
void perp_labels_free(perp_labels *labels);
/** "contact"; "other" for a kind that is not in the list. */
const char *perp_label_kind_name(perp_label_kind kind);

/** An origin that knows nothing. */
perp_status perp_origin_new(perp_origin **origin, perp_error *err);
/** Frees the texts, too. NULL is allowed (no-op). */
void perp_origin_free(perp_origin *origin);

PERP_END_DECLS

#endif
