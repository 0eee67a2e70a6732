# SPDX-License-Identifier: Apache-2.0
# A stanza a program.

# Two solids, measured and met in every way.
convex_sources = tests/dynamics/convex.c tests/dynamics/convex.h tests/dynamics/climb.c \
    tests/dynamics/contact_queries.h
# Derivatives of steps against differences.
derivatives_sources = tests/dynamics/derivatives.c tests/dynamics/derivatives.h \
    $(dynamics_forest)
# Boxes along the axes.
dynamics_boxes = tests/dynamics/boxes.c tests/dynamics/boxes.h
# Worlds whose joints form trees, and their reference.
dynamics_forest = tests/dynamics/forest.c tests/dynamics/forest.h $(dynamics_run)
# One contact with any W.
dynamics_contact = tests/dynamics/one_contact.c tests/dynamics/one_contact.h \
    $(dynamics_stage)
# Small scenes under chosen integrators and laws.
dynamics_course = tests/dynamics/course.c tests/dynamics/course.h
# The same world in maximal and in reduced coordinates.
dynamics_grove = tests/dynamics/grove.c tests/dynamics/grove.h $(dynamics_stage)
# Scenes of experiments/scenes at work.
dynamics_play = tests/dynamics/play.c tests/dynamics/play.h $(dynamics_run)
# Runs of small worlds, every step of which keeps its books.
dynamics_run = tests/dynamics/run.c tests/dynamics/run.h
# Those of contacts.
dynamics_show = tests/dynamics/show.c tests/dynamics/show.h $(dynamics_play)
# Rows and systems share a stage: a world, contacts placed by hand, and their problem.
dynamics_stage = tests/dynamics/stage.c tests/dynamics/stage.h
# Worlds with joints at random.
mechanism_sources = tests/dynamics/mechanism.c tests/dynamics/mechanism.h
# Mobilizers in random states.
mobile_sources = tests/dynamics/mobile.c tests/dynamics/mobile.h
# Worlds in free flow.
motion_sources = tests/support/motion.c tests/support/motion.h
# Two bodies with a joint between them.
pair_sources = tests/dynamics/pair.c tests/dynamics/pair.h
# Points of known solids, and checks of polytopes.
polyhedra_sources = tests/dynamics/polyhedra.c tests/dynamics/polyhedra.h \
    tests/dynamics/polyhedra_check.c
# Trees of bodies in reduced coordinates.
trees_sources = tests/dynamics/trees.c tests/dynamics/trees.h

# Programs that need GSL, as the command does.
dynamics_gsl_tests =

check_PROGRAMS += %D%/articulated
%C%_articulated_SOURCES = %D%/articulated.c $(trees_sources)

check_PROGRAMS += %D%/articulated_balance
%C%_articulated_balance_SOURCES = %D%/articulated_balance.c $(trees_sources)

check_PROGRAMS += %D%/articulated_factors
%C%_articulated_factors_SOURCES = %D%/articulated_factors.c $(trees_sources)

check_PROGRAMS += %D%/articulated_golden
%C%_articulated_golden_SOURCES = %D%/articulated_golden.c $(trees_sources)

check_PROGRAMS += %D%/articulated_mass
%C%_articulated_mass_SOURCES = %D%/articulated_mass.c $(trees_sources) $(scarce_sources)
%C%_articulated_mass_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/articulated_rates
%C%_articulated_rates_SOURCES = %D%/articulated_rates.c $(trees_sources)

check_PROGRAMS += %D%/bad_joints
%C%_bad_joints_SOURCES = %D%/bad_joints.c $(pair_sources) $(scarce_sources)
%C%_bad_joints_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/bad_trees
%C%_bad_trees_SOURCES = %D%/bad_trees.c $(trees_sources) $(scarce_sources)
%C%_bad_trees_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/bounds
%C%_bounds_SOURCES = %D%/bounds.c $(polyhedra_sources)

check_PROGRAMS += %D%/bounces
%C%_bounces_SOURCES = %D%/bounces.c $(dynamics_course)

check_PROGRAMS += %D%/broad
%C%_broad_SOURCES = %D%/broad.c $(dynamics_boxes) $(scarce_sources)
%C%_broad_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/broad_motion
%C%_broad_motion_SOURCES = %D%/broad_motion.c $(dynamics_boxes)

check_PROGRAMS += %D%/chain_growth %D%/crowds
%C%_chain_growth_SOURCES = %D%/chain_growth.c $(dynamics_run)
%C%_crowds_SOURCES = %D%/crowds.c $(dynamics_run)

check_PROGRAMS += %D%/capture
%C%_capture_SOURCES = %D%/capture.c $(dynamics_stage) $(scarce_sources)
%C%_capture_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/casts
%C%_casts_SOURCES = %D%/casts.c %D%/contact_queries.h $(scarce_sources)
%C%_casts_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/collide
%C%_collide_SOURCES = %D%/collide.c %D%/contact_queries.h $(scarce_sources)
%C%_collide_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/collider
%C%_collider_SOURCES = %D%/collider.c %D%/contact_queries.h $(scarce_sources)
%C%_collider_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/collider_threads
%C%_collider_threads_SOURCES = %D%/collider_threads.c %D%/surfaces.h %D%/contact_queries.h $(scarce_sources)
%C%_collider_threads_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/compliance
%C%_compliance_SOURCES = %D%/compliance.c $(dynamics_run) $(dynamics_stage)

check_PROGRAMS += %D%/compounds
%C%_compounds_SOURCES = %D%/compounds.c %D%/solids.h %D%/contact_queries.h $(scarce_sources)
%C%_compounds_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/contacts
%C%_contacts_SOURCES = %D%/contacts.c $(dynamics_stage) $(scarce_sources)
%C%_contacts_LDFLAGS = $(tests_ldflags) $(tests_scarce)

dynamics_gsl_tests += %D%/coordinates
%C%_coordinates_SOURCES = %D%/coordinates.c %D%/forest.c %D%/forest.h $(dynamics_play) \
    tests/torture/cases.h tests/torture/forests.c tests/torture/forests.h \
    tests/torture/trees.h tests/torture/trees_algorithms.c \
    tests/torture/trees_coordinates.c tests/torture/trees_runs.c

check_PROGRAMS += %D%/epa
%C%_epa_SOURCES = %D%/epa.c %D%/nearness.h %D%/golden_couple.h $(convex_sources)

check_PROGRAMS += %D%/facets
%C%_facets_SOURCES = %D%/facets.c %D%/contact_queries.h

check_PROGRAMS += %D%/filters
%C%_filters_SOURCES = %D%/filters.c %D%/contact_queries.h $(scarce_sources)
%C%_filters_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/flat_pairs
%C%_flat_pairs_SOURCES = %D%/flat_pairs.c %D%/contact_queries.h

check_PROGRAMS += %D%/free_motion
%C%_free_motion_SOURCES = %D%/free_motion.c $(dynamics_run) $(scarce_sources)
%C%_free_motion_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/forces
%C%_forces_SOURCES = %D%/forces.c $(scarce_sources)
%C%_forces_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/formulate
%C%_formulate_SOURCES = %D%/formulate.c $(dynamics_stage) $(scarce_sources)
%C%_formulate_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/friction
%C%_friction_SOURCES = %D%/friction.c $(dynamics_contact)

check_PROGRAMS += %D%/friction_frame
%C%_friction_frame_SOURCES = %D%/friction_frame.c %D%/scenes.h

check_PROGRAMS += %D%/gjk
%C%_gjk_SOURCES = %D%/gjk.c %D%/nearness.h %D%/golden_couple.h $(convex_sources)

check_PROGRAMS += %D%/growth
%C%_growth_SOURCES = %D%/growth.c $(dynamics_run)
%C%_growth_CPPFLAGS = $(tests_cppflags) $(METIS_CFLAGS)

check_PROGRAMS += %D%/gyro
%C%_gyro_SOURCES = %D%/gyro.c

check_PROGRAMS += %D%/blas
%C%_blas_SOURCES = %D%/blas.c $(dynamics_play)

check_PROGRAMS += %D%/gyro_study
%C%_gyro_study_SOURCES = %D%/gyro_study.c $(dynamics_play)

check_PROGRAMS += %D%/implicit %D%/implicit_matrix
%C%_implicit_SOURCES = %D%/implicit.c %D%/implicit.h $(dynamics_run)
%C%_implicit_matrix_SOURCES = %D%/implicit_matrix.c %D%/implicit.h $(dynamics_run) \
    $(scarce_sources)
%C%_implicit_matrix_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/held
%C%_held_SOURCES = %D%/held.c $(dynamics_course)

check_PROGRAMS += %D%/impulses
%C%_impulses_SOURCES = %D%/impulses.c $(dynamics_stage)

check_PROGRAMS += %D%/inertia
%C%_inertia_SOURCES = %D%/inertia.c $(scarce_sources)
%C%_inertia_LDFLAGS = $(tests_ldflags) $(tests_scarce)

dynamics_gsl_tests += %D%/integrators
%C%_integrators_SOURCES = %D%/integrators.c $(motion_sources)

check_PROGRAMS += %D%/joints
%C%_joints_SOURCES = %D%/joints.c $(pair_sources)

check_PROGRAMS += %D%/joints_page
%C%_joints_page_SOURCES = %D%/joints_page.c

check_PROGRAMS += %D%/joints_slide
%C%_joints_slide_SOURCES = %D%/joints_slide.c $(pair_sources) $(dynamics_run)

check_PROGRAMS += %D%/keys
%C%_keys_SOURCES = %D%/keys.c %D%/contact_queries.h %D%/poses.h $(dynamics_run)

check_PROGRAMS += %D%/ledger
%C%_ledger_SOURCES = %D%/ledger.c $(dynamics_run)

check_PROGRAMS += %D%/limits
%C%_limits_SOURCES = %D%/limits.c $(pair_sources)

check_PROGRAMS += %D%/limits_reach
%C%_limits_reach_SOURCES = %D%/limits_reach.c $(dynamics_run)

check_PROGRAMS += %D%/limits_rows
%C%_limits_rows_SOURCES = %D%/limits_rows.c $(dynamics_stage)

dynamics_gsl_tests += %D%/linkages
%C%_linkages_SOURCES = %D%/linkages.c $(trees_sources)

check_PROGRAMS += %D%/loops
%C%_loops_SOURCES = %D%/loops.c $(trees_sources) $(scarce_sources)
%C%_loops_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/manifold
%C%_manifold_SOURCES = %D%/manifold.c %D%/contact_queries.h

check_PROGRAMS += %D%/mesh
%C%_mesh_SOURCES = %D%/mesh.c $(polyhedra_sources) $(scarce_sources)
%C%_mesh_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/mesh_files
%C%_mesh_files_SOURCES = %D%/mesh_files.c $(scarce_sources)
%C%_mesh_files_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/mesh_growth
%C%_mesh_growth_SOURCES = %D%/mesh_growth.c %D%/contact_queries.h

check_PROGRAMS += %D%/mesh_meshes
%C%_mesh_meshes_SOURCES = %D%/mesh_meshes.c %D%/surfaces.h %D%/contact_queries.h $(polyhedra_sources)

check_PROGRAMS += %D%/stability
%C%_stability_SOURCES = %D%/stability.c $(dynamics_run)
check_PROGRAMS += %D%/flush
%C%_flush_SOURCES = %D%/flush.c %D%/contact_queries.h $(dynamics_run)
check_PROGRAMS += %D%/mesh_rests
%C%_mesh_rests_SOURCES = %D%/mesh_rests.c %D%/surfaces.h %D%/contact_queries.h $(dynamics_run) $(polyhedra_sources)

check_PROGRAMS += %D%/mesh_solids
%C%_mesh_solids_SOURCES = %D%/mesh_solids.c %D%/surfaces.h %D%/contact_queries.h $(scarce_sources)
%C%_mesh_solids_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/mesh_pairs
%C%_mesh_pairs_SOURCES = %D%/mesh_pairs.c %D%/contact_queries.h

check_PROGRAMS += %D%/minkowski
%C%_minkowski_SOURCES = %D%/minkowski.c $(polyhedra_sources) $(scarce_sources)
%C%_minkowski_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/mobilizers
%C%_mobilizers_SOURCES = %D%/mobilizers.c $(mobile_sources)

check_PROGRAMS += %D%/mobilizers_drift
%C%_mobilizers_drift_SOURCES = %D%/mobilizers_drift.c $(mobile_sources)

check_PROGRAMS += %D%/mpr
%C%_mpr_SOURCES = %D%/mpr.c %D%/nearness.h %D%/golden_couple.h $(convex_sources)
%C%_mpr_LDADD = $(tests_ldadd) $(CCD_LIBS)

check_PROGRAMS += %D%/names
%C%_names_SOURCES = %D%/names.c $(dynamics_run)
%C%_names_LDFLAGS = $(tests_ldflags) -Wl,--wrap=strcmp -Wl,--wrap=strlen

check_PROGRAMS += %D%/orders
%C%_orders_SOURCES = %D%/orders.c $(dynamics_course)

check_PROGRAMS += %D%/outside
%C%_outside_SOURCES = %D%/outside.c $(dynamics_run)

check_PROGRAMS += %D%/outside_shape
%C%_outside_shape_SOURCES = %D%/outside_shape.c $(dynamics_run)

check_PROGRAMS += %D%/pairs
%C%_pairs_SOURCES = %D%/pairs.c %D%/pairs_contacts.c %D%/pairs_meshes.c %D%/surfaces.h %D%/pairs_laws.c %D%/pairs_laws.h \
    %D%/poses.h $(convex_sources)

check_PROGRAMS += %D%/pairs_golden
%C%_pairs_golden_SOURCES = %D%/pairs_golden.c %D%/contact_queries.h

check_PROGRAMS += %D%/polygon
%C%_polygon_SOURCES = %D%/polygon.c $(scarce_sources)
%C%_polygon_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/polytope
%C%_polytope_SOURCES = %D%/polytope.c $(polyhedra_sources)

check_PROGRAMS += %D%/polytope_bad
%C%_polytope_bad_SOURCES = %D%/polytope_bad.c $(polyhedra_sources) $(scarce_sources)
%C%_polytope_bad_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/rates
%C%_rates_SOURCES = %D%/rates.c $(pair_sources) $(dynamics_run)

check_PROGRAMS += %D%/rays
%C%_rays_SOURCES = %D%/rays.c %D%/solids.h %D%/contact_queries.h

check_PROGRAMS += %D%/rays_surface
%C%_rays_surface_SOURCES = %D%/rays_surface.c %D%/solids.h %D%/contact_queries.h

check_PROGRAMS += %D%/reach
%C%_reach_SOURCES = %D%/reach.c $(dynamics_course)

check_PROGRAMS += %D%/reduce
%C%_reduce_SOURCES = %D%/reduce.c %D%/contact_queries.h %D%/poses.h

check_PROGRAMS += %D%/reduced
%C%_reduced_SOURCES = %D%/reduced.c $(mechanism_sources)

check_PROGRAMS += %D%/reduced_dynamics
%C%_reduced_dynamics_SOURCES = %D%/reduced_dynamics.c $(mechanism_sources)

check_PROGRAMS += %D%/reduced_export
%C%_reduced_export_SOURCES = %D%/reduced_export.c $(dynamics_grove) $(scarce_sources)
%C%_reduced_export_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/reduced_forest
%C%_reduced_forest_SOURCES = %D%/reduced_forest.c $(mechanism_sources) $(scarce_sources)
%C%_reduced_forest_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/reduced_step
%C%_reduced_step_SOURCES = %D%/reduced_step.c $(dynamics_run) $(scarce_sources)
%C%_reduced_step_LDFLAGS = $(tests_ldflags) $(tests_scarce)

dynamics_gsl_tests += %D%/reduced_steps
%C%_reduced_steps_SOURCES = %D%/reduced_steps.c $(dynamics_forest) $(scarce_sources)
%C%_reduced_steps_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/reduced_still
%C%_reduced_still_SOURCES = %D%/reduced_still.c $(dynamics_run)

check_PROGRAMS += %D%/reduced_system
%C%_reduced_system_SOURCES = %D%/reduced_system.c $(dynamics_grove)

check_PROGRAMS += %D%/restitution
%C%_restitution_SOURCES = %D%/restitution.c $(dynamics_run)

check_PROGRAMS += %D%/resume
%C%_resume_SOURCES = %D%/resume.c $(dynamics_run)

check_PROGRAMS += %D%/rotation
%C%_rotation_SOURCES = %D%/rotation.c

check_PROGRAMS += %D%/rows_threads
%C%_rows_threads_SOURCES = %D%/rows_threads.c $(dynamics_run) $(scarce_sources)
%C%_rows_threads_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/sat
%C%_sat_SOURCES = %D%/sat.c %D%/golden_couple.h %D%/contact_queries.h %D%/sides.h \
    $(scarce_sources)
%C%_sat_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/scene
%C%_scene_SOURCES = %D%/scene.c %D%/scenes.h

check_PROGRAMS += %D%/scene_errors
%C%_scene_errors_SOURCES = %D%/scene_errors.c %D%/scenes.h

check_PROGRAMS += %D%/scene_links
%C%_scene_links_SOURCES = %D%/scene_links.c %D%/scenes.h $(scarce_sources)
%C%_scene_links_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/scene_parameters
%C%_scene_parameters_SOURCES = %D%/scene_parameters.c %D%/scenes.h $(scarce_sources)
%C%_scene_parameters_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/scene_robots
%C%_scene_robots_SOURCES = %D%/scene_robots.c %D%/scenes.h $(scarce_sources)
%C%_scene_robots_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/scene_schema
%C%_scene_schema_SOURCES = %D%/scene_schema.c

check_PROGRAMS += %D%/scene_write
%C%_scene_write_SOURCES = %D%/scene_write.c %D%/same.c %D%/same.h %D%/scenes.h \
    $(scarce_sources)
%C%_scene_write_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/scene_shapes
%C%_scene_shapes_SOURCES = %D%/scene_shapes.c %D%/scenes.h $(scarce_sources)
%C%_scene_shapes_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/scenes_arch
%C%_scenes_arch_SOURCES = %D%/scenes_arch.c $(dynamics_show)

dynamics_gsl_tests += %D%/scenes_chains
%C%_scenes_chains_SOURCES = %D%/scenes_chains.c $(dynamics_play)

check_PROGRAMS += %D%/scenes_coordinates
%C%_scenes_coordinates_SOURCES = %D%/scenes_coordinates.c $(dynamics_show)

check_PROGRAMS += %D%/scenes_granular
%C%_scenes_granular_SOURCES = %D%/scenes_granular.c $(dynamics_show)

check_PROGRAMS += %D%/scenes_large
%C%_scenes_large_SOURCES = %D%/scenes_large.c $(dynamics_show)

check_PROGRAMS += %D%/gears
%C%_gears_SOURCES = %D%/gears.c $(dynamics_run) $(scarce_sources)
%C%_gears_LDFLAGS = $(tests_ldflags) $(tests_scarce)

dynamics_gsl_tests += %D%/scenes_joints
%C%_scenes_joints_SOURCES = %D%/scenes_joints.c $(dynamics_play)

check_PROGRAMS += %D%/scenes_machines
%C%_scenes_machines_SOURCES = %D%/scenes_machines.c $(dynamics_show)

check_PROGRAMS += %D%/scenes_masonry
%C%_scenes_masonry_SOURCES = %D%/scenes_masonry.c $(dynamics_show)

check_PROGRAMS += %D%/scenes_motion
%C%_scenes_motion_SOURCES = %D%/scenes_motion.c $(dynamics_show)

check_PROGRAMS += %D%/scenes_motors
%C%_scenes_motors_SOURCES = %D%/scenes_motors.c $(dynamics_play)

check_PROGRAMS += %D%/scenes_pages
%C%_scenes_pages_SOURCES = %D%/scenes_pages.c $(dynamics_play)

check_PROGRAMS += %D%/scenes_pushes
%C%_scenes_pushes_SOURCES = %D%/scenes_pushes.c $(dynamics_show)

check_PROGRAMS += %D%/scenes_same
%C%_scenes_same_SOURCES = %D%/scenes_same.c $(dynamics_show)

check_PROGRAMS += %D%/scenes_solvers
%C%_scenes_solvers_SOURCES = %D%/scenes_solvers.c $(dynamics_play)

dynamics_gsl_tests += %D%/scenes_spin
%C%_scenes_spin_SOURCES = %D%/scenes_spin.c $(dynamics_play) $(motion_sources)

check_PROGRAMS += %D%/scenes_stacks
%C%_scenes_stacks_SOURCES = %D%/scenes_stacks.c $(dynamics_show)

dynamics_gsl_tests += %D%/scenes_trees
%C%_scenes_trees_SOURCES = %D%/scenes_trees.c $(dynamics_play)

check_PROGRAMS += %D%/scenes_walkers
%C%_scenes_walkers_SOURCES = %D%/scenes_walkers.c $(dynamics_show)

check_PROGRAMS += %D%/shapes
%C%_shapes_SOURCES = %D%/shapes.c %D%/solids.h %D%/contact_queries.h $(scarce_sources)
%C%_shapes_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/soft
%C%_soft_SOURCES = %D%/soft.c $(dynamics_stage) $(scarce_sources)
%C%_soft_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/speculative
%C%_speculative_SOURCES = %D%/speculative.c %D%/contact_queries.h

dynamics_gsl_tests += %D%/spin
%C%_spin_SOURCES = %D%/spin.c $(motion_sources)

check_PROGRAMS += %D%/stabilize
%C%_stabilize_SOURCES = %D%/stabilize.c $(dynamics_run)

check_PROGRAMS += %D%/stack
%C%_stack_SOURCES = %D%/stack.c $(dynamics_run)

check_PROGRAMS += %D%/standing
%C%_standing_SOURCES = %D%/standing.c $(dynamics_course)

check_PROGRAMS += %D%/starts
%C%_starts_SOURCES = %D%/starts.c $(dynamics_run) $(scarce_sources)
%C%_starts_LDFLAGS = $(tests_ldflags) $(tests_scarce)

dynamics_gsl_tests += %D%/state
%C%_state_SOURCES = %D%/state.c $(motion_sources)

check_PROGRAMS += %D%/states
%C%_states_SOURCES = %D%/states.c $(dynamics_run) $(scarce_sources)
%C%_states_CFLAGS = $(AM_CFLAGS) -pthread
%C%_states_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/step
%C%_step_SOURCES = %D%/step.c $(dynamics_run)

dynamics_gsl_tests += %D%/step_contacts
%C%_step_contacts_SOURCES = %D%/step_contacts.c $(derivatives_sources)

check_PROGRAMS += %D%/defaults
%C%_defaults_SOURCES = %D%/defaults.c $(dynamics_run) $(scarce_sources)
%C%_defaults_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/enabled
%C%_enabled_SOURCES = %D%/enabled.c $(dynamics_run)

check_PROGRAMS += %D%/step_formulate
%C%_step_formulate_SOURCES = %D%/step_formulate.c $(dynamics_run) $(scarce_sources)
%C%_step_formulate_LDFLAGS = $(tests_ldflags) $(tests_scarce)

dynamics_gsl_tests += %D%/step_gradient
%C%_step_gradient_SOURCES = %D%/step_gradient.c $(derivatives_sources) $(scarce_sources)
%C%_step_gradient_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/sweeps
%C%_sweeps_SOURCES = %D%/sweeps.c $(dynamics_run)

check_PROGRAMS += %D%/stepper
%C%_stepper_SOURCES = %D%/stepper.c $(dynamics_run) $(scarce_sources)
%C%_stepper_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/supports
%C%_supports_SOURCES = %D%/supports.c %D%/solids.h %D%/contact_queries.h

check_PROGRAMS += %D%/tangent
%C%_tangent_SOURCES = %D%/tangent.c $(trees_sources)

check_PROGRAMS += %D%/tree
%C%_tree_SOURCES = %D%/tree.c $(dynamics_boxes) $(scarce_sources)
%C%_tree_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/tree_rays
%C%_tree_rays_SOURCES = %D%/tree_rays.c $(dynamics_boxes)

check_PROGRAMS += %D%/twists
%C%_twists_SOURCES = %D%/twists.c

check_PROGRAMS += %D%/unified
%C%_unified_SOURCES = %D%/unified.c $(dynamics_stage)

check_PROGRAMS += %D%/unresolved
%C%_unresolved_SOURCES = %D%/unresolved.c %D%/contact_queries.h

check_PROGRAMS += %D%/urdf
%C%_urdf_SOURCES = %D%/urdf.c %D%/robots.h $(scarce_sources)
%C%_urdf_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/urdf_errors
%C%_urdf_errors_SOURCES = %D%/urdf_errors.c %D%/robots.h

check_PROGRAMS += %D%/urdf_memory
%C%_urdf_memory_SOURCES = %D%/urdf_memory.c %D%/robots.h
%C%_urdf_memory_CPPFLAGS = $(tests_cppflags) $(XML2_CFLAGS)
%C%_urdf_memory_LDADD = $(tests_ldadd) $(XML2_LIBS)

check_PROGRAMS += %D%/urdf_shapes
%C%_urdf_shapes_SOURCES = %D%/urdf_shapes.c %D%/robots.h $(scarce_sources)
%C%_urdf_shapes_CPPFLAGS = $(tests_cppflags) $(XML2_CFLAGS)
%C%_urdf_shapes_LDADD = $(tests_ldadd) $(XML2_LIBS)
%C%_urdf_shapes_LDFLAGS = $(tests_ldflags) $(tests_scarce)

check_PROGRAMS += %D%/velocity
%C%_velocity_SOURCES = %D%/velocity.c $(pair_sources) $(dynamics_run)

check_PROGRAMS += %D%/world
%C%_world_SOURCES = %D%/world.c $(scarce_sources)
%C%_world_LDFLAGS = $(tests_ldflags) $(tests_scarce)

# Programs of docs/examples.
dist_check_SCRIPTS += %D%/examples.sh

check_PROGRAMS += %D%/remove
%C%_remove_SOURCES = %D%/remove.c $(dynamics_run) $(scarce_sources)
%C%_remove_LDFLAGS = $(tests_ldflags) $(tests_scarce)

if COMMAND
check_PROGRAMS += $(dynamics_gsl_tests)
endif
