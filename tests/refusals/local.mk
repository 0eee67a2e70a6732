# SPDX-License-Identifier: Apache-2.0
# Input that readers must refuse, with the messages; see README.md there.
test_files += \
    %D%/refusals.c
EXTRA_DIST += \
    %D%/README.md \
    %D%/mesh/faults.obj \
    %D%/mesh/faults.stl \
    %D%/scene/bodies.json \
    %D%/scene/colors.json \
    %D%/scene/forces.json \
    %D%/scene/gears.json \
    %D%/scene/joints.json \
    %D%/scene/kinds.json \
    %D%/scene/no_json.json \
    %D%/scene/parameters.json \
    %D%/scene/r.urdf \
    %D%/scene/range.json \
    %D%/scene/repetitions.json \
    %D%/scene/robots.json \
    %D%/scene/shapes.json \
    %D%/scene/surfaces.json \
    %D%/scene/units.json \
    %D%/scene/unknown_members.json \
    %D%/scene/written.json \
    %D%/siconos/generic.dat \
    %D%/siconos/mlcp.dat \
    %D%/siconos/mlcp_forms.dat \
    %D%/siconos/numbers.dat \
    %D%/siconos/sizes.dat \
    %D%/siconos/soclcp.dat \
    %D%/siconos/sparse.dat \
    %D%/urdf/document_types.urdf \
    %D%/urdf/files.urdf \
    %D%/urdf/missing.urdf \
    %D%/urdf/numbers.urdf \
    %D%/urdf/trees.urdf \
    %D%/urdf/unsupported.urdf \
    %D%/urdf_floating/base.urdf
