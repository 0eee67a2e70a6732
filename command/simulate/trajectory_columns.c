/* SPDX-License-Identifier: Apache-2.0
 * simulate/trajectory_columns.c: what the columns of a trajectory are: the layout in one
 * table, which docs/trajectory.md describes for readers. */
#include <config.h>

#include <stdio.h>

#include "command/simulate/trajectory_columns.h"

const column_spec trajectory_columns[TRAJECTORY_FIXED] = {
    [TRAJECTORY_T] = {"/steps/t", "s", COLUMN_REAL, TRAJECTORY_STEP, {0}},
    [TRAJECTORY_OUTCOME] = {"/steps/outcome", "", COLUMN_INTEGER, TRAJECTORY_STEP, {0}},
    [TRAJECTORY_DRIFT] =
        {"/joints/drift", "m, rad", COLUMN_REAL, TRAJECTORY_STEP, {OF_JOINTS, 2}},
    [TRAJECTORY_FRAME_TIME] = {"/time", "s", COLUMN_REAL, TRAJECTORY_FRAME, {0}},
    [TRAJECTORY_FRAME_STEP] = {"/step", "", COLUMN_WORD, TRAJECTORY_FRAME, {0}},
    [TRAJECTORY_POSES] = {"/poses", "m", COLUMN_REAL, TRAJECTORY_FRAME, {OF_BODIES, 7}},
    [TRAJECTORY_VELOCITIES] =
        {"/velocities", "m/s, rad/s", COLUMN_REAL, TRAJECTORY_FRAME, {OF_BODIES, 6}},
    [TRAJECTORY_CONTACT_END] = {"/contacts/end", "", COLUMN_WORD, TRAJECTORY_FRAME, {0}},
    [TRAJECTORY_POINT] = {"/contacts/point", "m", COLUMN_REAL, TRAJECTORY_CONTACT, {3}},
    [TRAJECTORY_NORMAL] = {"/contacts/normal", "", COLUMN_REAL, TRAJECTORY_CONTACT, {3}},
    [TRAJECTORY_GAP] = {"/contacts/gap", "m", COLUMN_REAL, TRAJECTORY_CONTACT, {0}},
    [TRAJECTORY_CONTACT_IMPULSE] =
        {"/contacts/impulse", "N s", COLUMN_REAL, TRAJECTORY_CONTACT, {3}},
    [TRAJECTORY_BODIES] =
        {"/contacts/bodies", "", COLUMN_INTEGER, TRAJECTORY_CONTACT, {2}},
    [TRAJECTORY_KEY] = {"/contacts/key", "", COLUMN_WORD, TRAJECTORY_CONTACT, {0}},
    [TRAJECTORY_MU] = {"/contacts/mu", "", COLUMN_REAL, TRAJECTORY_CONTACT, {0}},
    [TRAJECTORY_STATUS] = {"/contacts/status", "", COLUMN_BYTE, TRAJECTORY_CONTACT, {0}},
    [TRAJECTORY_RESIDUAL] =
        {"/contacts/residual", "", COLUMN_REAL, TRAJECTORY_CONTACT, {0}},
    [TRAJECTORY_LAMBDA_END] = {"/lambda/end", "", COLUMN_WORD, TRAJECTORY_FRAME, {0}},
    [TRAJECTORY_LAMBDA_NAME] =
        {"/lambda/name", "", COLUMN_INTEGER, TRAJECTORY_IMPULSE, {0}},
    [TRAJECTORY_LAMBDA] =
        {"/lambda/impulse", "N s, N m s", COLUMN_REAL, TRAJECTORY_IMPULSE, {0}},
    [TRAJECTORY_LAMBDA_NAMES] = {"/lambda/names", "", COLUMN_TEXT, TRAJECTORY_NAME, {0}},
    [TRAJECTORY_STATE_VALUES] = {"/state/values", "", COLUMN_REAL, TRAJECTORY_STATE, {0}},
    [TRAJECTORY_STATE_START] =
        {"/state/start", "", COLUMN_WORD, TRAJECTORY_CHECKPOINT, {0}},
    [TRAJECTORY_STATE_END] = {"/state/end", "", COLUMN_WORD, TRAJECTORY_CHECKPOINT, {0}},
    [TRAJECTORY_STATE_STEP] =
        {"/state/step", "", COLUMN_WORD, TRAJECTORY_CHECKPOINT, {0}},
    [TRAJECTORY_STATE_COUNTS] =
        {"/state/counts", "", COLUMN_WORD, TRAJECTORY_CHECKPOINT, {TRAJECTORY_AXES}},
    [TRAJECTORY_STATE_SUMMARY] =
        {"/state/summary", "", COLUMN_REAL, TRAJECTORY_CHECKPOINT, {OF_SUMMARY}},
};

static const column_spec metric_spec = {
    "/metrics", NULL, COLUMN_REAL, TRAJECTORY_STEP, {0}};

const column_spec *column_spec_of(size_t id)
{
    return id < TRAJECTORY_FIXED ? &trajectory_columns[id] : &metric_spec;
}

void column_path(size_t id, const char *metric, char path[PERP_H5_PATH])
{
    const char *base = column_spec_of(id)->path;

    if (id < TRAJECTORY_FIXED) {
        snprintf(path, PERP_H5_PATH, "%s", base);
    } else {
        snprintf(path, PERP_H5_PATH, "%s/%s", base, metric);
    }
}

size_t column_entry(column_kind kind, size_t name_room)
{
    static const size_t bytes[] = {
        [COLUMN_REAL] = sizeof(double),
        [COLUMN_INTEGER] = sizeof(int32_t),
        [COLUMN_WORD] = sizeof(uint64_t),
        [COLUMN_BYTE] = sizeof(uint8_t),
    };

    return kind == COLUMN_TEXT ? name_room : bytes[kind];
}

static hid_t text_type(size_t name_room)
{
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, name_room);
    H5Tset_strpad(type, H5T_STR_NULLTERM);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

hid_t column_memory_type(column_kind kind, size_t name_room)
{
    switch (kind) {
    case COLUMN_REAL:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case COLUMN_INTEGER:
        return H5Tcopy(H5T_NATIVE_INT32);
    case COLUMN_WORD:
        return H5Tcopy(H5T_NATIVE_UINT64);
    case COLUMN_BYTE:
        return H5Tcopy(H5T_NATIVE_UINT8);
    default:
        return text_type(name_room);
    }
}

hid_t column_file_type(column_kind kind, size_t name_room)
{
    switch (kind) {
    case COLUMN_REAL:
        return H5Tcopy(H5T_IEEE_F64LE);
    case COLUMN_INTEGER:
        return H5Tcopy(H5T_STD_I32LE);
    case COLUMN_WORD:
        return H5Tcopy(H5T_STD_U64LE);
    case COLUMN_BYTE:
        return H5Tcopy(H5T_STD_U8LE);
    default:
        return text_type(name_room);
    }
}
