# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/bounds.c \
    %D%/inertia.c \
    %D%/mesh.c \
    %D%/mesh_files.c \
    %D%/mesh_solids.c \
    %D%/minkowski.c \
    %D%/polygon.c \
    %D%/polytope.c \
    %D%/polytope_bad.c \
    %D%/tree.c \
    %D%/tree_rays.c
