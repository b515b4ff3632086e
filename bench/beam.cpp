// A chain of corotational beams inside a haptic tick of 1 ms: free motion + compliance of the contacts.
//   bench_beam [--quick] [--json]
// Times are processor time of the thread, so that other programs disturb little; the ratios compare the same
// system solved in three ways in the same run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>

#include "timing.hpp"
#include <Eigen/SparseCholesky>
#include <nlohmann/json.hpp>

#include "palp/math/block_tridiagonal.hpp"
#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/pose.hpp"

namespace {
using namespace palp;

struct Percentiles {
  double p50 = 0, p99 = 0, max = 0;
};

Percentiles measure(int repeats, const std::function<void()>& work) {
  for (int i = 0; i < repeats / 10 + 1; ++i) work();
  std::vector<double> us(repeats);
  for (double& t : us) {
    const double start = cpu_us();
    work();
    t = cpu_us() - start;
  }
  std::sort(us.begin(), us.end());
  const auto at = [&](double q) { return us[static_cast<std::size_t>(q * (us.size() - 1))]; };
  return {at(0.5), at(0.99), us.back()};
}

/// A clip-like arc, clamped at one end, shaken so that every element is stressed, with contacts spread along
/// it.
struct Chain {
  std::unique_ptr<BeamBody> body;
  std::unique_ptr<BodyWorkspace> ws;
  BodyState state;
  PointJacobian H;
  Loads loads;

  Chain(int elements, int contacts) {
    BeamSpec spec;
    for (int i = 0; i <= elements; ++i) {
      const double a = 4.5 * i / elements;
      spec.curve.nodes.push_back(0.02 * Vec3(std::cos(a), std::sin(a), 0));
    }
    spec.young_modulus_Pa = 7e8;
    spec.section = BeamSection::circle(0.001);
    spec.skin_subdivisions = 3;
    body = std::move(*BeamBody::make(spec));
    ws = body->make_workspace();
    state = body->rest_state();
    std::mt19937 rng(1);
    std::uniform_real_distribution<double> u(-1, 1);
    for (int i = 0; i <= elements; ++i)
      advance_pose(state.x, i, 1e-5 * Vec3(u(rng), u(rng), u(rng)), 0.02 * Vec3(u(rng), u(rng), u(rng)));
    loads.gravity = Vec3(0, 0, -9.81);
    BlockLoad grip{.block = 0, .has_rotation = true};
    grip.stiffness.diagonal() << 1000, 1000, 1000, 1, 1, 1;
    loads.blocks = {grip};
    const int segments = static_cast<int>(body->skin().segments.size());
    for (int i = 0; i < contacts; ++i) {
      const Edge e =
          body->skin().segments[static_cast<std::size_t>(i) * (segments - 1) / std::max(contacts - 1, 1)];
      body->append_vertex(state, e[0], 0.4, H);
      body->append_vertex(state, e[1], 0.6, H);
      H.end_point();
    }
  }
};

Percentiles tick(int elements, int contacts, int repeats) {
  Chain c(elements, contacts);
  MatX G = MatX::Zero(3 * contacts, 3 * contacts);
  bool good = true;
  const Percentiles t = measure(repeats, [&] {
    good = c.body->free_motion(c.state, c.loads, 1e-3, *c.ws) && good;
    G.setZero();
    c.body->project_compliance(c.H, *c.ws, G);
  });
  if (!good) std::fprintf(stderr, "bench_beam: free motion failed\n"), std::exit(1);
  return t;
}

/// Least-squares slope of log(time) over log(size).
double exponent(const std::vector<double>& size, const std::vector<double>& time) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < size.size(); ++i) {
    const double x = std::log(size[i]), y = std::log(time[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double n = static_cast<double>(size.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// Factor + one solve + W of the same matrix: block Thomas, Eigen's sparse Cholesky (pattern analysed
/// beforehand), dense.
struct Rivals {
  Percentiles thomas, sparse, dense;
  double difference = 0;
};

Rivals rivals(int elements, int contacts, int repeats) {
  Chain c(elements, contacts);
  const MatX A = c.body->dense_system(c.state, c.loads, 1e-3);
  const int n = c.body->dof(), m = 3 * contacts;
  BlockTridiagonal T;
  T.resize(n / 6);
  for (int i = 0; i < n / 6; ++i) {
    T.diagonal(i) = A.block<6, 6>(6 * i, 6 * i);
    if (6 * i + 6 < n) T.below(i) = A.block<6, 6>(6 * i + 6, 6 * i);
  }
  MatX Ht = MatX::Zero(n, m);
  for (int i = 0; i < contacts; ++i)
    for (int k = c.H.start[i]; k < c.H.start[i + 1]; ++k)
      Ht.block<3, 3>(3 * c.H.column[k], 3 * i) += c.H.block[k].transpose();
  const Eigen::SparseMatrix<double> S = A.sparseView();
  const Eigen::SparseMatrix<double> Hs = Ht.sparseView();
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> llt;
  llt.analyzePattern(S);
  const std::vector<char> held(n / 3, 0);
  const VecX b = VecX::Ones(n);
  VecX x(n);
  MatX W1 = MatX::Zero(m, m), W2(m, m), W3(m, m);
  Rivals r;
  r.thomas = measure(repeats, [&] {
    T.factor();
    x = b;
    T.solve(x);
    W1.setZero();
    T.project(c.H, held, W1);
  });
  r.sparse = measure(repeats / 4 + 1, [&] {
    llt.factorize(S);
    x = llt.solve(b);
    W2.noalias() = Hs.transpose() * llt.solve(Ht);
  });
  r.dense = measure(repeats / 20 + 1, [&] {
    const Eigen::LLT<MatX> dense(A);
    x = dense.solve(b);
    W3.noalias() = Ht.transpose() * dense.solve(Ht);
  });
  r.difference = std::max((W1 - W2).norm(), (W1 - W3).norm()) / W1.norm();
  return r;
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false, json = false;
  for (int i = 1; i < argc; ++i) {
    quick = quick || !std::strcmp(argv[i], "--quick");
    json = json || !std::strcmp(argv[i], "--json");
  }
  const int repeats = quick ? 200 : 4000;
  nlohmann::json out;

  const Percentiles t = tick(30, 20, repeats);
  out["tick_30_elements_20_contacts_us"] = {{"p50", t.p50}, {"p99", t.p99}, {"max", t.max}};
  out["share_of_1ms_p99"] = t.p99 / 1000;

  std::vector<double> sizes, times;
  for (int elements : {15, 30, 60, 120, 240}) {
    sizes.push_back(elements);
    times.push_back(tick(elements, 20, repeats / 2).p50);
    out["elements"].push_back({{"elements", elements}, {"contacts", 20}, {"p50_us", times.back()}});
  }
  out["exponent_elements"] = exponent(sizes, times);
  sizes.clear(), times.clear();
  for (int contacts : {5, 10, 20, 40, 80}) {
    sizes.push_back(contacts);
    times.push_back(tick(30, contacts, repeats / 2).p50);
    out["contacts"].push_back({{"elements", 30}, {"contacts", contacts}, {"p50_us", times.back()}});
  }
  out["exponent_contacts"] = exponent(sizes, times);

  for (int elements : {30, 120}) {
    const Rivals r = rivals(elements, 20, repeats / 2);
    out["rivals"].push_back({{"elements", elements},
                             {"contacts", 20},
                             {"thomas_us", r.thomas.p50},
                             {"eigen_sparse_us", r.sparse.p50},
                             {"dense_us", r.dense.p50},
                             {"sparse_over_thomas", r.sparse.p50 / r.thomas.p50},
                             {"dense_over_thomas", r.dense.p50 / r.thomas.p50},
                             {"difference", r.difference}});
  }
  if (json) {
    std::printf("%s\n", out.dump(2).c_str());
    return 0;
  }
  std::printf(
      "30 beams, 20 contacts, free motion + W: p50 %.1f us, p99 %.1f us, max %.1f us; p99 is %.1f %% of 1 "
      "ms\n",
      t.p50, t.p99, t.max, t.p99 / 10);
  std::printf("\n%10s %10s %10s\n", "beams", "contacts", "p50 us");
  for (const char* table : {"elements", "contacts"})
    for (const auto& row : out[table])
      std::printf("%10d %10d %10.1f\n", row["elements"].get<int>(), row["contacts"].get<int>(),
                  row["p50_us"].get<double>());
  std::printf("growth: beams^%.2f, contacts^%.2f\n", out["exponent_elements"].get<double>(),
              out["exponent_contacts"].get<double>());
  std::printf("\nfactor + solve + W of the same matrix, p50\n%10s %12s %14s %12s %10s %10s\n", "beams",
              "Thomas us", "Eigen LLT us", "dense us", "x sparse", "x dense");
  for (const auto& r : out["rivals"])
    std::printf("%10d %12.1f %14.1f %12.1f %10.1f %10.1f\n", r["elements"].get<int>(),
                r["thomas_us"].get<double>(), r["eigen_sparse_us"].get<double>(), r["dense_us"].get<double>(),
                r["sparse_over_thomas"].get<double>(), r["dense_over_thomas"].get<double>());
  return 0;
}
