# SPDX-License-Identifier: Apache-2.0
# The scenes; the command and the Python package find them by name.

# The data folder of this tree, for a perp that is not installed.
noinst_DATA = experiments/source-tree
CLEANFILES += experiments/source-tree
experiments/source-tree: Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && echo "$(abs_top_srcdir)" >$@

scenesdir = $(pkgdatadir)/experiments/scenes
dist_scenes_DATA = \
    %D%/arch-thick.json \
    %D%/arch-thin.json \
    %D%/arm-gripper.json \
    %D%/bouncing-ball.json \
    %D%/box-pyramid.json \
    %D%/bridge.json \
    %D%/card-house.json \
    %D%/chain.json \
    %D%/chain-net.json \
    %D%/column-collapse.json \
    %D%/cradle.json \
    %D%/cradle-gaps.json \
    %D%/dominoes.json \
    %D%/double-pendulum.json \
    %D%/drum.json \
    %D%/five-bar.json \
    %D%/four-bar.json \
    %D%/four-wheeled-car.json \
    %D%/gear-motor.json \
    %D%/gravel.json \
    %D%/gripper.json \
    %D%/hanging-bridge.json \
    %D%/heavy-on-light.json \
    %D%/heavy-top.json \
    %D%/hopper.json \
    %D%/humanoid.json \
    %D%/incline-slip.json \
    %D%/incline-stick.json \
    %D%/kapla.json \
    %D%/masonry-arch.json \
    %D%/masonry-bridge.json \
    %D%/painleve.json \
    %D%/pendulum.json \
    %D%/pendulum-chain.json \
    %D%/projectile.json \
    %D%/pyramid.json \
    %D%/quadruped.json \
    %D%/rag-doll.json \
    %D%/rattleback.json \
    %D%/ring.json \
    %D%/rocks.json \
    %D%/rolling.json \
    %D%/servo-arm.json \
    %D%/slider-crank.json \
    %D%/sphere-pack.json \
    %D%/stack.json \
    %D%/stewart.json \
    %D%/t-handle-1.json \
    %D%/t-handle-2.json \
    %D%/t-handle-3.json \
    %D%/table-holds.json \
    %D%/table-slides.json \
    %D%/tetrahedron.json \
    %D%/towers.json \
    %D%/tree.json \
    %D%/triple-pendulum.json \
    %D%/two-wheeled-car.json \
    %D%/wall.json
robotsdir = $(pkgdatadir)/experiments/scenes/urdf
dist_robots_DATA = %D%/urdf/arm.urdf %D%/urdf/quadruped.urdf \
    %D%/urdf/standing.json
