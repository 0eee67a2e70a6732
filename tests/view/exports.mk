# SPDX-License-Identifier: Apache-2.0
# Surfaces of shapes and formats of motions.
motions_sources = %D%/motions.c %D%/motions.h
check_PROGRAMS += %D%/mesh
%C%_mesh_SOURCES = %D%/mesh.c $(motions_sources) $(scarce_sources)
%C%_mesh_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_mesh_LDADD = $(command_tests_ldadd)
check_PROGRAMS += %D%/formats
%C%_formats_SOURCES = %D%/formats.c $(motions_sources) $(scarce_sources)
%C%_formats_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_formats_LDADD = $(command_tests_ldadd) $(JANSSON_LIBS)

# Written, then read by VTK.
dist_check_SCRIPTS += %D%/vtk.sh
dist_noinst_DATA += %D%/read_vtk.py

# The command.
dist_check_SCRIPTS += %D%/convert.sh
dist_noinst_DATA += tests/web/gltf_check.mjs

# Models for MuJoCo.
check_PROGRAMS += tests/command/mjcf
tests_command_mjcf_SOURCES = tests/command/mjcf.c $(scarce_sources)
tests_command_mjcf_LDFLAGS = $(tests_ldflags) $(tests_scarce)
tests_command_mjcf_LDADD = $(command_tests_ldadd)
