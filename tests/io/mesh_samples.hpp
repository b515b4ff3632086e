// Small files written by hand from the formats' specifications, so that readers are not only tested against
// our own writers. All solid samples say the same: five nodes, the tets (0 1 2 3) and (1 2 3 4), and the
// triangle (0 2 1).
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace palp::samples {

/// Bytes of a number, most significant first or last, without the library's help.
template <class T>
std::string bytes_of(T value, bool big = false) {
  std::string raw(sizeof(T), '\0');
  std::uint64_t bits = 0;
  if constexpr (sizeof(T) == 8) {
    std::memcpy(&bits, &value, 8);
  } else if constexpr (std::is_same_v<T, float>) {
    std::uint32_t b = 0;
    std::memcpy(&b, &value, 4);
    bits = b;
  } else {
    bits = static_cast<std::uint64_t>(value);
  }
  for (std::size_t i = 0; i < sizeof(T); ++i)
    raw[big ? sizeof(T) - 1 - i : i] = static_cast<char>(bits >> (8 * i) & 255);
  return raw;
}
template <class T>
std::string all(std::initializer_list<T> values, bool big = false) {
  std::string out;
  for (T v : values) out += bytes_of(v, big);
  return out;
}

inline const std::string gmsh22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
0 9 "tip"
2 7 "base"
3 1 "solid body"
$EndPhysicalNames
$Nodes
5
10 0 0 0
11 1 0 0
12 0 1 0
13 0 0 1
20 1 1 1
$EndNodes
$Elements
4
1 2 2 7 1 10 12 11
2 4 2 1 1 10 11 12 13
3 4 2 1 1 11 12 13 20
4 15 2 9 1 20
$EndElements
$NodeData
1
"temperature"
1
0.0
3
0
1
5
10 100
11 200
12 300
13 400
20 500
$EndNodeData
)";

inline std::string gmsh22_binary() {
  std::string s = "$MeshFormat\n2.2 1 8\n" + all<std::int32_t>({1}) +
                  "\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"base\"\n" + "$EndPhysicalNames\n$Nodes\n5\n";
  const double x[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  for (int i = 0; i < 5; ++i) s += all<std::int32_t>({i + 1}) + all<double>({x[i][0], x[i][1], x[i][2]});
  s += "\n$EndNodes\n$Elements\n3\n";
  s += all<std::int32_t>({2, 1, 2, /**/ 1, 7, 1, 1, 3, 2});
  s += all<std::int32_t>({4, 2, 2, /**/ 2, 1, 1, 1, 2, 3, 4, /**/ 3, 1, 1, 2, 3, 4, 5});
  return s + "\n$EndElements\n";
}

inline const std::string gmsh41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
0 9 "tip"
2 7 "base"
3 1 "solid body"
$EndPhysicalNames
$Entities
1 0 1 1
1 1 1 1 1 9
1 0 0 0 1 1 0 1 7 0
1 0 0 0 1 1 1 1 1 1 1
$EndEntities
$Nodes
2 5 1 5
2 1 0 3
1
2
3
0 0 0
1 0 0
0 1 0
3 1 0 2
4
5
0 0 1
1 1 1
$EndNodes
$Elements
3 4 1 4
0 1 15 1
4 5
2 1 2 1
1 1 3 2
3 1 4 2
2 1 2 3 4
3 2 3 4 5
$EndElements
)";

inline std::string gmsh41_binary() {
  std::string s = "$MeshFormat\n4.1 1 8\n" + all<std::int32_t>({1}) + "\n$EndMeshFormat\n$Entities\n";
  s += all<std::uint64_t>({0, 0, 1, 1});
  s += all<std::int32_t>({1}) + all<double>({0, 0, 0, 1, 1, 0}) + all<std::uint64_t>({1}) +
       all<std::int32_t>({7}) + all<std::uint64_t>({0});
  s += all<std::int32_t>({1}) + all<double>({0, 0, 0, 1, 1, 1}) + all<std::uint64_t>({1}) +
       all<std::int32_t>({1}) + all<std::uint64_t>({1}) + all<std::int32_t>({1});
  s += "\n$EndEntities\n$Nodes\n" + all<std::uint64_t>({1, 5, 1, 5});
  s += all<std::int32_t>({3, 1, 0}) + all<std::uint64_t>({5, 1, 2, 3, 4, 5});
  s += all<double>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1});
  s += "\n$EndNodes\n$Elements\n" + all<std::uint64_t>({2, 3, 1, 3});
  s += all<std::int32_t>({2, 1, 2}) + all<std::uint64_t>({1, 1, 1, 3, 2});
  s += all<std::int32_t>({3, 1, 4}) + all<std::uint64_t>({2, 2, 1, 2, 3, 4, 3, 2, 3, 4, 5});
  return s + "\n$EndElements\n";
}

inline const std::string vtk = R"(# vtk DataFile Version 2.0
two tets
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 float
0 0 0  1 0 0  0 1 0
0 0 1  1 1 1
CELLS 3 14
4 0 1 2 3
3 0 2 1
4 1 2 3 4
CELL_TYPES 3
10
5
10
POINT_DATA 5
SCALARS temperature float 1
LOOKUP_TABLE default
100 200 300 400 500
VECTORS push double
0 0 1 0 0 2 0 0 3 0 0 4 0 0 5
CELL_DATA 3
FIELD attributes 1
two%20words 1 3 int
7 8 9
)";

inline const std::string vtk51 = R"(# vtk DataFile Version 5.1
two tets
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 double
0 0 0 1 0 0 0 1 0 0 0 1 1 1 1
METADATA
INFORMATION 0

CELLS 4 11
OFFSETS vtktypeint64
0 4 7 11
CONNECTIVITY vtktypeint64
0 1 2 3 0 2 1 1 2 3 4
CELL_TYPES 3
10
5
10
)";

inline std::string vtk_binary(bool offsets) {
  std::string s = std::string("# vtk DataFile Version ") + (offsets ? "5.1" : "3.0") +
                  "\ntwo tets\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n";
  s += all<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}, true);
  if (offsets)
    s += "\nCELLS 4 11\nOFFSETS vtktypeint64\n" + all<std::int64_t>({0, 4, 7, 11}, true) +
         "\nCONNECTIVITY vtktypeint64\n" + all<std::int64_t>({0, 1, 2, 3, 0, 2, 1, 1, 2, 3, 4}, true);
  else
    s += "\nCELLS 3 14\n" + all<std::int32_t>({4, 0, 1, 2, 3, 3, 0, 2, 1, 4, 1, 2, 3, 4}, true);
  s += "\nCELL_TYPES 3\n" + all<std::int32_t>({10, 5, 10}, true);
  s += "\nPOINT_DATA 5\nSCALARS temperature double 1\nLOOKUP_TABLE default\n" +
       all<double>({100, 200, 300, 400, 500}, true);
  return s + "\n";
}

/// A square of two triangles as one strip, a line of three nodes and a pentagon-like polygon.
inline const std::string vtk_poly = R"(# vtk DataFile Version 3.0
surface
ASCII
DATASET POLYDATA
POINTS 6 float
0 0 0 1 0 0 0 1 0 1 1 0 0.5 2 0 0 0 1
LINES 1 4
3 0 5 1
POLYGONS 2 10
5 0 1 3 4 2
3 0 1 5
TRIANGLE_STRIPS 1 5
4 0 1 2 3
CELL_DATA 4
SCALARS kind int 1
LOOKUP_TABLE default
1 2 3 4
)";

inline const std::string vtu = R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
  <UnstructuredGrid>
    <Piece NumberOfPoints="5" NumberOfCells="3">
      <Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">
        0 0 0  1 0 0  0 1 0  0 0 1  1 1 1
      </DataArray></Points>
      <Cells>
        <DataArray type="Int32" Name="connectivity" format="ascii">0 1 2 3 0 2 1 1 2 3 4</DataArray>
        <DataArray type="Int32" Name="offsets" format="ascii">4 7 11</DataArray>
        <DataArray type="UInt8" Name="types" format="ascii">10 5 10</DataArray>
      </Cells>
      <PointData Scalars="temperature">
        <DataArray type="Float32" Name="temperature" format="ascii">100 200 300 400 500</DataArray>
      </PointData>
    </Piece>
  </UnstructuredGrid>
</VTKFile>
)";

/// Appended raw data, big-endian, UInt32 headers, no compression.
inline std::string vtu_raw() {
  const auto block = [](const std::string& data) {
    return bytes_of(static_cast<std::uint32_t>(data.size()), true) + data;
  };
  const std::string points = block(all<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}, true));
  const std::string nodes = block(all<std::int64_t>({0, 1, 2, 3, 0, 2, 1, 1, 2, 3, 4}, true));
  const std::string offsets = block(all<std::int32_t>({4, 7, 11}, true));
  const std::string types = block(all<std::uint8_t>({10, 5, 10}));
  const auto at = [](std::size_t n) { return " format=\"appended\" offset=\"" + std::to_string(n) + "\"/>"; };
  return "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"BigEndian\"><UnstructuredGrid>"
         "<Piece NumberOfPoints=\"5\" NumberOfCells=\"3\"><Points><DataArray type=\"Float32\" "
         "NumberOfComponents=\"3\"" +
         at(0) + "</Points><Cells><DataArray type=\"Int64\" Name=\"connectivity\"" + at(points.size()) +
         "<DataArray type=\"Int32\" Name=\"offsets\"" + at(points.size() + nodes.size()) +
         "<DataArray type=\"UInt8\" Name=\"types\"" + at(points.size() + nodes.size() + offsets.size()) +
         "</Cells></Piece></UnstructuredGrid><AppendedData encoding=\"raw\">\n_" + points + nodes + offsets +
         types + "\n</AppendedData></VTKFile>";
}

/// Base64 worked out with a pencil: [12 bytes] 0 1 2 as Int32 in "connectivity", [4] 3, and the byte 5.
inline const std::string vtu_base64 =
    R"(<VTKFile type="UnstructuredGrid" byte_order="LittleEndian"><UnstructuredGrid>
<Piece NumberOfPoints="3" NumberOfCells="1"><Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">
0 0 0 1 0 0 0 1 0</DataArray></Points><Cells>
<DataArray type="Int32" Name="connectivity" format="binary">DAAAAAAAAAABAAAAAgAAAA==</DataArray>
<DataArray type="Int32" Name="offsets" format="binary">BAAAAAMAAAA=</DataArray>
<DataArray type="UInt8" Name="types" format="binary">AQAAAAU=</DataArray>
</Cells></Piece></UnstructuredGrid></VTKFile>
)";

/// A roof: a quad and a triangle with every way of naming vertices, a concave pentagon, a line.
inline const std::string obj = R"(# comment
mtllib none.mtl
o roof
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0 1.0
v 0.5 0.5 1
vt 0 0
vn 0 0 1
g floor
usemtl red
f 1/1/1 2/1/1 3/1/1 4/1/1
g side wall
f -5//1 -4//1 \
  -1//1
v 0.5 0.2 0
f 1 6 2 3 4
l 1 5 3
)";

inline const std::string stl = R"(solid corner
  facet normal 0 0 -1
    outer loop
      vertex 0 0 0
      vertex 0 1 0
      vertex 1 0 0
    endloop
  endfacet
  facet normal 0 -1 0
    outer loop
      vertex 0 0 0
      vertex 1 0 0
      vertex -0.0 0 1e0
    endloop
  endfacet
endsolid corner
)";

inline std::string stl_binary(const std::string& title = "solid but binary") {
  std::string s = title;
  s.resize(80, '\0');
  s += bytes_of<std::uint32_t>(2);
  s += all<float>({0, 0, -1, 0, 0, 0, 0, 1, 0, 1, 0, 0}) + std::string(2, '\0');
  s += all<float>({0, -1, 0, 0, 0, 0, 1, 0, 0, -0.0f, 0, 1}) + std::string(2, '\0');
  return s;
}

inline const std::string ply = R"(ply
format ascii 1.0
comment by hand
element vertex 4
property float x
property float y
property float z
property uchar red
element face 2
property list uchar int vertex_indices
property float weight
element edge 0
property int vertex1
property int vertex2
end_header
0 0 0 10
1 0 0 20
1 1 0 30
0 1 0 40
3 0 1 2 0.5
4 0 1 2 3 0.25
)";

inline std::string ply_binary(bool big) {
  std::string s = std::string("ply\nformat binary_") + (big ? "big" : "little") +
                  "_endian 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double "
                  "z\nproperty short red\n"
                  "element junk 1\nproperty list ushort float numbers\nelement face 2\nproperty list int "
                  "uint vertex_index\n"
                  "property float weight\nend_header\n";
  const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  for (int i = 0; i < 4; ++i)
    s += all<double>({x[i][0], x[i][1], x[i][2]}, big) +
         bytes_of(static_cast<std::int16_t>(10 * (i + 1)), big);
  s += bytes_of<std::uint16_t>(2, big) + all<float>({1, 2}, big);
  s += bytes_of<std::int32_t>(3, big) + all<std::uint32_t>({0, 1, 2}, big) + bytes_of(0.5f, big);
  s += bytes_of<std::int32_t>(4, big) + all<std::uint32_t>({0, 1, 2, 3}, big) + bytes_of(0.25f, big);
  return s;
}

struct Sample {
  std::string name, bytes;
};
inline std::vector<Sample> every() {
  return {{"22.msh", gmsh22},
          {"22b.msh", gmsh22_binary()},
          {"41.msh", gmsh41},
          {"41b.msh", gmsh41_binary()},
          {"old.vtk", vtk},
          {"new.vtk", vtk51},
          {"oldb.vtk", vtk_binary(false)},
          {"newb.vtk", vtk_binary(true)},
          {"poly.vtk", vtk_poly},
          {"ascii.vtu", vtu},
          {"raw.vtu", vtu_raw()},
          {"base64.vtu", vtu_base64},
          {"roof.obj", obj},
          {"ascii.stl", stl},
          {"binary.stl", stl_binary()},
          {"ascii.ply", ply},
          {"little.ply", ply_binary(false)},
          {"big.ply", ply_binary(true)}};
}

}  // namespace palp::samples
