// What the parts of the Python module share: errors as exceptions, arrays that look at the engine's memory.
#pragma once
#include <map>
#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "palp/base/result.hpp"
#include "palp/math/types.hpp"

namespace palp::python {

namespace py = pybind11;
using namespace py::literals;

/// Raises palp.Error for the first, with the others in its `errors`.
[[noreturn]] void raise(const std::vector<Error>& errors);
[[noreturn]] inline void raise(const Error& error) { raise(std::vector<Error>{error}); }

template <class T>
T value(Result<T>&& result) {
  if (!result) raise(result.error());
  return std::move(*result);
}
inline void check(const Result<void>& result) {
  if (!result) raise(result.error());
}

/// Numbers where they lie, nothing copied: `owner` is the array's base and keeps them alive. Strides in
/// bytes.
template <class T>
py::array view(const T* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
               py::handle owner, bool writable = false) {
  py::array array(py::dtype::of<T>(), std::move(shape), std::move(strides), data, owner);
  if (!writable) py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// Rows of `width` numbers each, one after the other.
template <class T>
py::array rows_view(const T* data, size_t rows, size_t width, py::handle owner, bool writable = false) {
  return view(data, {static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(width)},
              {static_cast<py::ssize_t>(width * sizeof(T)), static_cast<py::ssize_t>(sizeof(T))}, owner,
              writable);
}
template <class T>
py::array flat_view(const T* data, size_t n, py::handle owner, bool writable = false) {
  return view(data, {static_cast<py::ssize_t>(n)}, {static_cast<py::ssize_t>(sizeof(T))}, owner, writable);
}
inline py::array points_view(const std::vector<Vec3>& points, py::handle owner) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return rows_view(points.empty() ? nullptr : points[0].data(), points.size(), 3, owner);
}
template <size_t n>
py::array indices_view(const std::vector<std::array<int, n>>& cells, py::handle owner) {
  return rows_view(cells.empty() ? nullptr : cells[0].data(), cells.size(), n, owner);
}

/// An array of its own.
template <class T>
py::array owned(std::vector<T>&& values, std::vector<py::ssize_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  std::vector<py::ssize_t> strides(shape.size(), sizeof(T));
  for (size_t k = shape.size(); k-- > 1;) strides[k - 1] = strides[k] * shape[k];
  return view(kept->data(), std::move(shape), std::move(strides), owner, true);
}
template <class Matrix>
py::array copied(const Matrix& m) {
  std::vector<double> out(static_cast<size_t>(m.size()));
  for (Eigen::Index r = 0, k = 0; r < m.rows(); ++r)
    for (Eigen::Index c = 0; c < m.cols(); ++c) out[static_cast<size_t>(k++)] = m(r, c);
  if (m.cols() == 1) return owned(std::move(out), {m.rows()});
  return owned(std::move(out), {m.rows(), m.cols()});
}
inline py::array copied_points(const std::vector<Vec3>& points) {
  std::vector<double> out(3 * points.size());
  for (size_t i = 0; i < points.size(); ++i)
    for (int k = 0; k < 3; ++k) out[3 * i + static_cast<size_t>(k)] = points[i][k];
  return owned(std::move(out), {static_cast<py::ssize_t>(points.size()), 3});
}

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Ints = py::array_t<int, py::array::c_style | py::array::forcecast>;

/// Three numbers, or ValueError.
Vec3 vec3(const Doubles& array, const char* what);

void add_scene(py::module_& m);
void add_simulation(py::module_& m);
void add_live(py::module_& m);
void add_solve(py::module_& m);
void add_mesh(py::module_& m);
void add_recording(py::module_& m);
void add_study(py::module_& m);

}  // namespace palp::python
