# SPDX-License-Identifier: Apache-2.0
"""read_vtk.py FOLDER: hand.pvd of tests/view/formats.c, read by VTK itself."""
import math
import sys
import xml.etree.ElementTree as tree

import vtk
from vtk.util.numpy_support import vtk_to_numpy

folder = sys.argv[1]
errors = []
vtk.vtkObject.GlobalWarningDisplayOff()


def read(name):
    reader = vtk.vtkXMLPolyDataReader()
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(name))
    reader.SetFileName(f"{folder}/{name}")
    reader.Update()
    return reader.GetOutput()


def close(a, b, error):
    assert abs(a - b) <= error, (a, b)


sets = tree.parse(f"{folder}/hand.pvd").getroot().find("Collection").findall("DataSet")
assert len(sets) == 303, len(sets)
last = {s.get("name"): s for s in sets}
assert set(last) == {"bodies", "contacts", "joints"}
assert float(last["bodies"].get("timestep")) == 1.0
assert len({s.get("file") for s in sets}) == 303
for s in sets[:3] + sets[-3:]:
    close(read(s.get("file")).GetFieldData().GetArray("TimeValue").GetValue(0),
          float(s.get("timestep")), 0.0)

bodies = read(last["bodies"].get("file"))
names = bodies.GetFieldData().GetAbstractArray("body_names")
assert [names.GetValue(k) for k in range(3)] == ["floor & <world>", '"quoted" ä', "</script>"]
cells = bodies.GetCellData()
body = vtk_to_numpy(cells.GetArray("body"))
assert set(body) == {0, 1, 2} and len(body) == bodies.GetNumberOfPolys()
colour = vtk_to_numpy(cells.GetArray("colour"))
assert tuple(colour[0]) == (0xcc,) * 3 and tuple(colour[-1]) == (0x44, 0x77, 0xaa)
# Body 1: v = 1 m/s, w = 2 rad/s about z, m = 2, I_z = 3: 1/2 2 1 + 1/2 3 4 = 7 J.
speed, energy = (vtk_to_numpy(cells.GetArray(n)) for n in ("speed", "energy"))
assert (speed[body == 1] == 1).all() and (speed[body != 1] == 0).all()
assert (abs(energy[body == 1] - 7) < 1e-6).all() and (energy[body == 0] == 0).all()
normals = vtk_to_numpy(bodies.GetPointData().GetNormals())
assert abs((normals ** 2).sum(axis=1) - 1).max() < 1e-6

# The hull of body 2 and its box below: volume and place, as VTK computes them.
some = vtk.vtkThreshold()
some.SetInputData(bodies)
some.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, "body")
some.SetLowerThreshold(2)
some.SetUpperThreshold(2)
some.SetThresholdFunction(vtk.vtkThreshold.THRESHOLD_BETWEEN)
surface = vtk.vtkGeometryFilter()
surface.SetInputConnection(some.GetOutputPort())
clean = vtk.vtkCleanPolyData()
clean.SetInputConnection(surface.GetOutputPort())
mass = vtk.vtkMassProperties()
mass.SetInputConnection(clean.GetOutputPort())
close(mass.GetVolume(), 1 / 6 + 1, 1e-5)
low = clean.GetOutput().GetBounds()
for a, b in zip(low, (-0.5, 1, 1.5, 3, -0.5, 2)):
    close(a, b, 1e-6)
# Body 1 at t = 1 turned by 2 rad: its box stands 1 m off along its x axis.
points = vtk_to_numpy(bodies.GetPoints().GetData())
corner = vtk_to_numpy(bodies.GetPolys().GetConnectivityArray())
box = points[corner.reshape(-1, 3)[body == 1][-12:].ravel()]
middle = (box.min(axis=0) + box.max(axis=0)) / 2
for a, b in zip(middle, (1 + math.cos(2), math.sin(2), 0.5)):
    close(a, b, 1e-6)

contacts = read(last["contacts"].get("file"))
assert contacts.GetNumberOfPoints() == contacts.GetNumberOfVerts() == 2
data = {contacts.GetPointData().GetArrayName(k): vtk_to_numpy(contacts.GetPointData().GetArray(k))
        for k in range(contacts.GetPointData().GetNumberOfArrays())}
assert contacts.GetPoint(0) == (1.0, 0.0, 0.0)
assert tuple(data["normal"][0]) == (0, 0, 1) and tuple(data["impulse"][1]) == (0.3, 0.4, 2.0)
assert data["gap"][0] == -1e-4 and data["mu"][1] == 0.5
assert data["residual"][0] == 1e-9 and math.isnan(data["residual"][1])
close(data["normal_impulse"][0], 2.0, 1e-15)
close(data["tangential_impulse"][0], 0.5, 1e-15)
assert list(data["status"]) == [1, 2] and data["bodies"].tolist() == [[0, 1], [1, 2]]
assert read(sets[1].get("file")).GetNumberOfPoints() == 0  # frame 0

joints = read(last["joints"].get("file"))
assert joints.GetNumberOfLines() == 1 and joints.GetNumberOfPoints() == 4
assert joints.GetPoint(1) == (0.0, 0.0, 1.0) == joints.GetPoint(0)
for a, b in zip(joints.GetPoint(2), (1 - math.cos(2) / 2, -math.sin(2) / 2, 0.5)):
    close(a, b, 1e-12)
assert joints.GetFieldData().GetAbstractArray("joint_names").GetValue(0) == "a]]>b"
assert joints.GetFieldData().GetAbstractArray("joint_types").GetValue(0) == "revolute"
close(joints.GetCellData().GetArray("anchors_apart").GetValue(0),
      math.dist(joints.GetPoint(1), joints.GetPoint(2)), 1e-12)
assert not errors, errors
