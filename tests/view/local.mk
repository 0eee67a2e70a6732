# SPDX-License-Identifier: Apache-2.0
# Surfaces of shapes and formats of motions.
test_files += \
    %D%/formats.c \
    %D%/mesh.c
test_helpers += \
    %D%/motions.c \
    %D%/motions.h

# Written, then read by VTK.
dist_check_SCRIPTS += %D%/vtk.sh
dist_noinst_DATA += %D%/read_vtk.py

# The command.
dist_check_SCRIPTS += %D%/convert.sh
dist_noinst_DATA += tests/web/gltf_check.mjs
