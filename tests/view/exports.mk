# SPDX-License-Identifier: Apache-2.0
# Surfaces of shapes and formats of motions.
motions_sources = %D%/motions.c %D%/motions.h
check_PROGRAMS += %D%/mesh
%C%_mesh_SOURCES = %D%/mesh.c $(motions_sources) $(scarce_sources)
%C%_mesh_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_mesh_LDADD = $(experiments_tests_ldadd)
