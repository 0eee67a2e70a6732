/* SPDX-License-Identifier: Apache-2.0
 * export/mjcf_parts.h: what the files that write MJCF share. */
#ifndef PERP_EXPORT_MJCF_PARTS_H
#define PERP_EXPORT_MJCF_PARTS_H

#include <stdio.h>

#include <perp/dynamics/joint.h>

#include "command/export/mjcf.h"

/** A body in the forest of bodies. */
typedef struct mjcf_link {
    int32_t joint;       /**< that carries it; -1: none */
    int32_t parent;      /**< -1: the world */
    bool turned;         /**< it is body i of the joint */
    int32_t child, next; /**< its first child, and the next one of its parent; -1: none */
} mjcf_link;

/** What a joint becomes. */
typedef enum mjcf_use {
    MJCF_ABSENT,  /**< disabled, or between bodies that do not move */
    MJCF_CARRIES, /**< a joint of the forest */
    MJCF_CLOSES,  /**< an equality constraint or a tendon */
} mjcf_use;

/** How a material touches. */
typedef struct mjcf_surface {
    bool used, moves; /**< by a shape; by one on a body that moves */
    double mu;
    int priority; /**< the value of the higher one is taken; of equal ones the larger value */
} mjcf_surface;

typedef struct mjcf {
    const perp_scene *scene;
    const perp_world *w;
    const perp_state *state;
    const char *source;
    FILE *f;
    mjcf_notes *notes;
    perp_error *err;
    perp_status status; /**< of the first refusal */

    mjcf_link *link; /**< of each body */
    int32_t *root;   /**< bodies below the world, and their number */
    size_t root_count;
    int32_t world;         /**< the body that is MuJoCo's own body world; -1: none */
    mjcf_use *use;         /**< of each joint */
    char **name;           /**< of each body, escaped */
    mjcf_surface *surface; /**< of each material */
    uint32_t *class_of;    /**< of each shape: which others it may touch */
    size_t *shape; /**< shapes body by body: those of body k end before shape_end[k] */
    size_t *shape_end;
    size_t *site; /**< ends of tendons (mjcf_loops.c), body by body, the same */
    size_t *site_end;
    uint32_t meets[32]; /**< bits of the classes that a class meets */
    uint32_t groups[32], masks[32];
    size_t class_count;

    double *qpos, *qvel; /**< at the start, in the order of MuJoCo */
    size_t nq, nv;
    bool moves; /**< a velocity at the start is not 0 */
} mjcf;

/** Keep a refusal: "SOURCE: …". */
void mjcf_refuse(mjcf *m, const char *format, ...) PERP_PRINTF(2, 3);
/** Add a note, unless there is no room. */
void mjcf_note(mjcf *m, const char *format, ...) PERP_PRINTF(2, 3);
/** An attribute of numbers: name="1 2 3". */
void mjcf_reals(mjcf *m, const char *name, const double *x, size_t count);
void mjcf_real(mjcf *m, const char *name, double x);
/** A text for an attribute, with the characters of XML escaped, on the heap. */
char *mjcf_escaped(const char *text);
/** Whether XML can hold the text. */
bool mjcf_is_text(const char *text);
/** Whether the body moves by forces. */
static inline bool mjcf_dynamic(const mjcf *m, size_t body)
{
    return m->w->motion[body] == PERP_MOTION_DYNAMIC;
}

/** mjcf_check.c: refuse what cannot be expressed, apart from joints and contacts. */
void mjcf_check(mjcf *m);
/** mjcf_tree.c: which joints carry bodies, and the forest. */
void mjcf_tree(mjcf *m);
/** mjcf_contacts.c: friction of each material, classes of shapes; pairs without contacts. */
void mjcf_contacts(mjcf *m);
void mjcf_excludes(mjcf *m);
/** mjcf_shapes.c: the surfaces of hulls, and the shapes of a body, indented by `depth`. */
void mjcf_assets(mjcf *m);
void mjcf_geoms(mjcf *m, size_t body, int depth);
/** Into `shape` and `shape_end`, which is zero. */
void mjcf_sort_shapes(mjcf *m);
/** mjcf_joints.c: the joints of a body in the forest, with their values at the start. */
void mjcf_joints(mjcf *m, size_t body, int depth);
/** mjcf_loops.c: marks on a body where tendons end; tendons; constraints; motors. */
void mjcf_sites(mjcf *m, size_t body, int depth);
/** Into `site` and `site_end`, which is zero; needs `use`. */
void mjcf_sort_sites(mjcf *m);
void mjcf_tendons(mjcf *m);
void mjcf_equalities(mjcf *m);
void mjcf_actuators(mjcf *m);

#endif
