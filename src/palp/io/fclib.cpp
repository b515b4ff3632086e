#include "palp/io/fclib.hpp"

#include <new>

#include <Eigen/SparseCore>

#include "palp/io/hdf5_handle.hpp"

namespace palp {
namespace {

bool exists(hid_t group, const char* name) { return H5Lexists(group, name, H5P_DEFAULT) > 0; }

template <class T>
hid_t native() {
  if constexpr (std::is_same_v<T, int>)
    return H5T_NATIVE_INT;
  else
    return H5T_NATIVE_DOUBLE;
}

template <class T>
Result<std::vector<T>> read_array(hid_t group, const char* name) {
  const std::string what = std::string("'") + name + "'";
  const Handle set(exists(group, name) ? H5Dopen2(group, name, H5P_DEFAULT) : -1, H5Dclose);
  if (!set.ok()) return Error{.message = "the array " + what + " is missing"};
  const Handle space(H5Dget_space(set), H5Sclose);
  const hssize_t size = space.ok() ? H5Sget_simple_extent_npoints(space) : -1;
  if (size < 0 || !affordable(set, static_cast<std::uint64_t>(size), sizeof(T)))
    return Error{.message = "the array " + what + " has an impossible size",
                 .remedy = "the file may be damaged"};
  std::vector<T> out(static_cast<size_t>(size));
  if (size > 0 && H5Dread(set, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
    return Error{.message = "the array " + what + " cannot be read", .remedy = "the file may be damaged"};
  return out;
}

Result<int> read_int(hid_t group, const char* name) {
  auto values = read_array<int>(group, name);
  if (!values) return values.error();
  if (values->size() != 1) return Error{.message = std::string("'") + name + "' is not a single number"};
  return values->front();
}

/// A scalar sparse matrix as entries.
struct Entries {
  int rows = 0, columns = 0;
  std::vector<int> i, j;
  std::vector<double> v;
};

/// FCLIB keeps the storage in 'nz': ≥ 0 that many triplets, −1 compressed columns, −2 compressed rows.
Result<Entries> read_matrix(hid_t local, const char* name) {
  const Handle group(exists(local, name) ? H5Gopen2(local, name, H5P_DEFAULT) : -1, H5Gclose);
  const auto in = [name](Error error) {
    error.message = std::string("matrix '") + name + "': " + error.message;
    return error;
  };
  if (!group.ok()) return in({.message = "the group is missing"});
  auto rows = read_int(group, "m"), columns = read_int(group, "n"), nz = read_int(group, "nz");
  if (!rows) return in(rows.error());
  if (!columns) return in(columns.error());
  if (!nz) return in(nz.error());
  auto p = read_array<int>(group, "p"), i = read_array<int>(group, "i");
  auto x = read_array<double>(group, "x");
  if (!p) return in(p.error());
  if (!i) return in(i.error());
  if (!x) return in(x.error());
  if (*rows < 0 || *columns < 0) return in({.message = "negative size"});
  Entries out;
  out.rows = *rows;
  out.columns = *columns;
  if (*nz >= 0) {  // triplets: p holds columns, i rows
    const size_t count = static_cast<size_t>(*nz);
    if (p->size() < count || i->size() < count || x->size() < count)
      return in({.message = "fewer entries than 'nz' says"});
    out.i.assign(i->begin(), i->begin() + *nz);
    out.j.assign(p->begin(), p->begin() + *nz);
    out.v.assign(x->begin(), x->begin() + *nz);
  } else {
    const bool by_columns = *nz == -1;
    if (!by_columns && *nz != -2) return in({.message = "'nz' is neither -1, -2 nor a number of triplets"});
    const size_t lines = static_cast<size_t>(by_columns ? *columns : *rows);
    if (p->size() != lines + 1 || p->front() != 0 || !std::is_sorted(p->begin(), p->end()))
      return in({.message = "'p' does not start at 0 and ascend over all lines"});
    const size_t count = static_cast<size_t>(p->back());
    if (i->size() < count || x->size() < count) return in({.message = "fewer entries than 'p' says"});
    std::vector<int> line(count);
    for (size_t c = 0; c < lines; ++c)
      std::fill(line.begin() + (*p)[c], line.begin() + (*p)[c + 1], static_cast<int>(c));
    i->resize(count);
    x->resize(count);
    out.i = by_columns ? std::move(*i) : line;
    out.j = by_columns ? std::move(line) : std::move(*i);
    out.v = std::move(*x);
  }
  for (size_t k = 0; k < out.v.size(); ++k)
    if (out.i[k] < 0 || out.i[k] >= out.rows || out.j[k] < 0 || out.j[k] >= out.columns)
      return in({.message = "entry " + std::to_string(k) + " lies outside the matrix"});
  return out;
}

/// Appends V, Vᵀ and R of the bilateral rows behind W, and s behind q.
Result<int> append_bilateral(hid_t local, hid_t vectors, Entries& W, std::vector<double>& q) {
  if (!exists(local, "R") && !exists(local, "V")) return 0;
  auto R = read_matrix(local, "R"), V = read_matrix(local, "V");
  if (!R) return R.error();
  if (!V) return V.error();
  auto s = read_array<double>(vectors, "s");
  if (!s) return s.error();
  const int contact_rows = W.rows, rows = R->rows;
  if (R->columns != rows || V->rows != contact_rows || V->columns != rows ||
      static_cast<int>(s->size()) != rows)
    return Error{.message = "the sizes of V, R and s do not fit W"};
  if (rows % 3 != 0)
    return Error{.message = std::to_string(rows) + " bilateral rows are not a multiple of three",
                 .remedy = "bilateral rows come in blocks of three"};
  const auto add = [&W](int i, int j, double v) {
    W.i.push_back(i);
    W.j.push_back(j);
    W.v.push_back(v);
  };
  for (size_t k = 0; k < V->v.size(); ++k) {
    add(V->i[k], contact_rows + V->j[k], V->v[k]);
    add(contact_rows + V->j[k], V->i[k], V->v[k]);
  }
  for (size_t k = 0; k < R->v.size(); ++k) add(contact_rows + R->i[k], contact_rows + R->j[k], R->v[k]);
  W.rows = W.columns = contact_rows + rows;
  q.insert(q.end(), s->begin(), s->end());
  return rows / 3;
}

Result<Problem> read_local(hid_t file) {
  const Handle local(exists(file, "fclib_local") ? H5Gopen2(file, "fclib_local", H5P_DEFAULT) : -1, H5Gclose);
  if (!local.ok())
    return Error{.message = "there is no group 'fclib_local'",
                 .remedy = exists(file, "fclib_global")
                               ? "this is a global problem: condense it to a local one first"
                               : "an FCLIB local problem is expected"};
  auto dimension = read_int(local, "spacedim");
  if (!dimension) return dimension.error();
  if (*dimension != 3)
    return Error{.message = "the problem has " + std::to_string(*dimension) + " rows per contact",
                 .remedy = "only three-dimensional problems are supported"};
  auto W = read_matrix(local, "W");
  if (!W) return W.error();
  const Handle vectors(exists(local, "vectors") ? H5Gopen2(local, "vectors", H5P_DEFAULT) : -1, H5Gclose);
  if (!vectors.ok()) return Error{.message = "there is no group 'vectors'"};
  auto mu = read_array<double>(vectors, "mu"), q = read_array<double>(vectors, "q");
  if (!mu) return mu.error();
  if (!q) return q.error();
  if (W->rows != W->columns || q->size() != static_cast<size_t>(W->rows) || q->size() != 3 * mu->size())
    return Error{.message = "the sizes do not fit: W " + std::to_string(W->rows) + " × " +
                            std::to_string(W->columns) + ", q " + std::to_string(q->size()) + ", mu " +
                            std::to_string(mu->size())};
  auto bilateral = append_bilateral(local, vectors, *W, *q);
  if (!bilateral) return bilateral.error();

  const size_t m = mu->size() + static_cast<size_t>(*bilateral);
  Problem problem;
  if (*bilateral > 0) {
    problem.kind.assign(mu->size(), ContactKind::unilateral);
    problem.kind.resize(m, ContactKind::bilateral);
    mu->resize(m, 0.0);
  }
  auto delassus = delassus_from_entries(static_cast<int>(m), W->i, W->j, W->v);
  if (!delassus) return delassus.error();
  problem.W = std::move(*delassus);
  problem.delta_free = Eigen::Map<const VecX>(q->data(), static_cast<long>(q->size()));
  problem.mu = Eigen::Map<const VecX>(mu->data(), static_cast<long>(m));
  if (auto ok = validate(problem); !ok) return ok.error();
  return problem;
}

template <class T>
bool write_array(hid_t group, const char* name, const std::vector<T>& values) {
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle set(H5Dcreate2(group, name, native<T>(), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
  if (!set.ok()) return false;
  return values.empty() || H5Dwrite(set, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
}

bool write_matrix(hid_t local, const char* name, int rows, int columns,
                  const std::vector<Eigen::Triplet<double>>& entries) {
  Eigen::SparseMatrix<double> A(rows, columns);
  A.setFromTriplets(entries.begin(), entries.end());
  const int count = static_cast<int>(A.nonZeros());
  const Handle group(H5Gcreate2(local, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  return group.ok() && write_array<int>(group, "nzmax", {count}) && write_array<int>(group, "m", {rows}) &&
         write_array<int>(group, "n", {columns}) && write_array<int>(group, "nz", {-1}) &&
         write_array<int>(group, "p", {A.outerIndexPtr(), A.outerIndexPtr() + columns + 1}) &&
         write_array<int>(group, "i", {A.innerIndexPtr(), A.innerIndexPtr() + count}) &&
         write_array<double>(group, "x", {A.valuePtr(), A.valuePtr() + count});
}

bool write_local(hid_t file, const Problem& problem, const std::string& title) {
  const int m = problem.contacts();
  std::vector<int> place(m);  // contacts first, bilateral blocks counted on their own
  int contacts = 0, bilateral = 0;
  for (int i = 0; i < m; ++i) place[i] = problem.bilateral(i) ? bilateral++ : contacts++;
  std::vector<Eigen::Triplet<double>> W, V, R;
  for_each_entry(problem.W, [&](int i, int j, double v) {
    const bool row = problem.bilateral(i / 3), column = problem.bilateral(j / 3);
    if (row && !column) return;  // Vᵀ is not stored
    (column ? (row ? R : V) : W).emplace_back(3 * place[i / 3] + i % 3, 3 * place[j / 3] + j % 3, v);
  });
  std::vector<double> q, s, mu;
  for (int i = 0; i < m; ++i) {
    auto& to = problem.bilateral(i) ? s : q;
    for (int c = 0; c < 3; ++c) to.push_back(problem.delta_free[3 * i + c]);
    if (!problem.bilateral(i)) mu.push_back(problem.mu[i]);
  }
  const auto create = [](hid_t parent, const char* name) {
    return H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  };
  const Handle local(create(file, "fclib_local"), H5Gclose);
  if (!local.ok()) return false;
  const Handle vectors(create(local, "vectors"), H5Gclose), info(create(local, "info"), H5Gclose);
  bool ok = vectors.ok() && info.ok() && write_array<int>(local, "spacedim", {3}) &&
            write_matrix(local, "W", 3 * contacts, 3 * contacts, W) && write_array(vectors, "mu", mu) &&
            write_array(vectors, "q", q) && write_text(info, "title", title) &&
            write_text(info, "description", "written by palp") &&
            write_text(info, "math_info", "u = W r + q, (n, t1, t2) per contact");
  if (bilateral > 0)
    ok = ok && write_matrix(local, "V", 3 * contacts, 3 * bilateral, V) &&
         write_matrix(local, "R", 3 * bilateral, 3 * bilateral, R) && write_array(vectors, "s", s);
  return ok;
}

}  // namespace

Result<Problem> read_fclib(const std::string& path) {
  const Quiet quiet;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  Error error;
  if (!file.ok()) {
    error = {.message = "not a readable HDF5 file", .remedy = "check the path; an FCLIB file is expected"};
  } else {
    try {
      auto problem = read_local(file);
      if (problem) return problem;
      error = problem.error();
    } catch (const std::bad_alloc&) {
      error = {.message = "the problem does not fit into memory"};
    }
  }
  error.file = path;
  return error;
}

Result<void> write_fclib(const Problem& problem, const std::string& path, const std::string& title) {
  const Quiet quiet;
  bool written = false;
  {
    const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    written = file.ok() && write_local(file, problem, title) && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
  }
  if (!written)
    return Error{
        .message = "cannot be written", .file = path, .remedy = "check the folder and the free space"};
  return {};
}

}  // namespace palp
