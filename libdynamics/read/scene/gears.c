/* SPDX-License-Identifier: Apache-2.0
 * read/scene/gears.c: gears of a scene, q = ratio q_other + offset, between joints by their
 * names, those of robots included. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "joints/joints.h"
#include "read/scene/build.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/quantity.h"
#include "read/scene/tables.h"
#include "world/world.h"

static perp_status gears_unknown_joint(scene_reader *rd, const scene_at *at,
                                       const char *name)
{
    const size_t count = rd->world->joint_count;
    const char **names = calloc(count + 1, sizeof *names);
    perp_nearest best;
    perp_status status = PERP_OK;

    if (!names) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for a message",
                         rd->file);
    }
    for (size_t k = 0; k < count; k++) {
        names[k] = rd->world->joints[k].name;
    }
    status = scene_fail(rd, at, PERP_ERR_DATA, " is \"%.80s\", which is no joint; %s",
                        name, scene_nearest(&best, name, names));
    free(names);
    return status;
}

/* The joint that a member names, and the axis, from 0, that another member numbers. */
static perp_status gears_find(scene_reader *rd, const scene_at *at, const char *name,
                              const char *number, int32_t *joint, unsigned *axis)
{
    scene_at member = scene_member_at(at, name);
    scene_at count = scene_member_at(at, number);
    const char *text = json_string_value(member.value);
    long k = 1;
    perp_status status = text ? scene_expand(rd, &member, &text) : PERP_OK;

    *joint = -1;
    *axis = 0;
    if (status != PERP_OK || !text) {
        return status; /* reading the object reports it */
    }
    *joint = perp_world_find_joint(rd->world, text);
    if (*joint < 0) {
        return gears_unknown_joint(rd, &member, text);
    }
    if (count.value) {
        const perp_joint_type *type = rd->world->joints[*joint].type;

        status =
            scene_read_integer(rd, &count, 1, type->axes > 0 ? (long)type->axes : 1, &k);
    }
    *axis = (unsigned)(k - 1);
    return status;
}

perp_status scene_build_gear(scene_reader *rd, const scene_at *at)
{
    scene_gear g;
    perp_gear gear = {.ratio = 0.0};
    int32_t joint = -1;
    unsigned axis = 0;
    perp_error cause = {0};
    perp_status status = gears_find(rd, at, "joint", "axis", &joint, &axis);

    if (status == PERP_OK) {
        status = gears_find(rd, at, "follows", "follows-axis", &gear.joint, &gear.axis);
    }
    if (status == PERP_OK) {
        const bool angle = joint >= 0 && rd->world->joints[joint].type->axis_unit[axis] ==
                                             PERP_AXIS_ANGLE;

        rd->unit = angle ? 1 : 0;
        status = scene_read_object(rd, at, &scene_table_gear, &g);
        rd->unit = 0;
    }
    if (status != PERP_OK) {
        return status;
    }
    if (g.ratio == 0.0) {
        scene_at ratio = scene_member_at(at, "ratio");

        return scene_unexpected(rd, &ratio, PERP_ERR_DATA, "a number that is not 0");
    }
    if (rd->world->joints[joint].axes[axis].gear.ratio != 0.0) {
        return scene_fail(
            rd, at, PERP_ERR_DATA,
            ": axis %u of joint \"%s\" follows joint \"%s\" already, "
            "expected one gear per axis",
            axis + 1, g.joint,
            rd->world->joints[rd->world->joints[joint].axes[axis].gear.joint].name);
    }
    gear.ratio = g.ratio;
    gear.offset = g.offset;
    gear.cfm = g.cfm;
    gear.stiffness = g.stiffness;
    gear.damping = g.damping;
    status = perp_world_set_gear(rd->world, joint, axis, &gear, &cause);
    return scene_fail_in(rd, at, status, &cause);
}
