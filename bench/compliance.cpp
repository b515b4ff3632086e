// Refactor A and form W = H A⁻¹ Hᵀ on blocks of tetrahedra, in every way worth comparing; ratios in one run.
//
//   bench_compliance [--quick] [--json]
//
// Times are those of the one thread that works (CPU time), so that other programs disturb little.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>

#include "../tests/math/elastic_block.hpp"
#include "compliance_ways.hpp"
#include "timing.hpp"
#include <nlohmann/json.hpp>

namespace palp::bench {
namespace {

using testing_support::ElasticBlock;

double cpu_ms() { return 1e-3 * palp::cpu_us(); }

struct Timing {
  double median = 0, p90 = 0;
};

/// Once to warm up, then at most `most` times or until a budget is spent. A call beyond the budget counts
/// itself.
Timing measure(int most, const std::function<void()>& work) {
  const double budget_ms = 1500, begin = cpu_ms();
  work();
  std::vector<double> times;
  if (const double first = cpu_ms() - begin; first > budget_ms) times.push_back(first);
  while (times.empty() || (static_cast<int>(times.size()) < most && cpu_ms() - begin < budget_ms)) {
    const double start = cpu_ms();
    work();
    times.push_back(cpu_ms() - start);
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[std::min(times.size() - 1, times.size() * 9 / 10)]};
}

struct Row {
  std::string way;
  int nodes = 0, contacts = 0;
  Timing factor, W;
  double flops = 0, error = 0;  ///< of the factorisation; of W against the first way
  double total() const { return factor.median + W.median; }
};

using MakeWay =
    std::function<std::unique_ptr<Way>(const ElasticBlock&, const PointJacobian&, const std::vector<int>&)>;

std::vector<std::pair<std::string, MakeWay>> ways() {
  const auto ours = [](CholeskyOptions options) -> MakeWay {
    return [options](const auto& block, const auto& H, const auto& candidates) {
      return std::make_unique<Ours>(block.A, H, candidates, options);
    };
  };
  using Order = CholeskyOptions::Order;
  return {
      {"plain: Eigen simplicial, full solves",
       [](const auto& block, const auto& H, const auto&) {
         return std::make_unique<EigenSimplicial>(block.A, H, false);
       }},
      {"Eigen simplicial, forward only",
       [](const auto& block, const auto& H, const auto&) {
         return std::make_unique<EigenSimplicial>(block.A, H, true);
       }},
#ifdef PALP_HAS_CHOLMOD
      {"CHOLMOD supernodal, forward only",
       [](const auto& block, const auto& H, const auto&) {
         return std::make_unique<CholmodSupernodal>(block.A, H);
       }},
#endif
      {"ours, dissection + reach", ours({.order = Order::plain})},
      {"ours, candidates last", ours({.order = Order::last_last})},
      {"ours, automatic", ours({.order = Order::automatic})},
      {"ours, automatic, single precision",
       ours({.order = Order::automatic, .precision = CholeskyOptions::Precision::single})},
  };
}

double peak_gflops() {
  const int n = 768;
  const MatX A = MatX::Random(n, n), B = MatX::Random(n, n);
  MatX C = MatX::Zero(n, n);
  double best = 0;
  const auto record = [&](const std::function<void()>& gemm) {
    for (int i = 0; i < 6; ++i) {
      const double start = cpu_ms();
      gemm();
      best = std::max(best, 2.0 * n * n * n / (cpu_ms() - start) * 1e-6);
    }
  };
  record([&] { C.noalias() = A * B; });
#ifdef PALP_HAS_CHOLMOD
  const double one = 1, zero = 0;
  record([&] { dgemm_("N", "T", &n, &n, &n, &one, A.data(), &n, B.data(), &n, &zero, C.data(), &n); });
#endif
  return best;
}

/// Slope of log y over log x, least squares.
double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

struct Growth {
  std::string way;
  double factor_in_nodes = 0, W_in_nodes = 0, W_in_contacts = 0;
};

std::vector<Growth> growth(const std::vector<Row>& rows, int middle_nodes, int middle_contacts) {
  std::vector<Growth> out;
  for (const auto& [name, make] : ways()) {
    std::vector<double> nodes, factor, W, contacts, W_of_contacts;
    for (const Row& row : rows) {
      if (row.way != name) continue;
      if (row.contacts == middle_contacts)
        nodes.push_back(row.nodes), factor.push_back(row.factor.median), W.push_back(row.W.median);
      if (row.nodes == middle_nodes) contacts.push_back(row.contacts), W_of_contacts.push_back(row.W.median);
    }
    out.push_back({name, exponent(nodes, factor), exponent(nodes, W), exponent(contacts, W_of_contacts)});
  }
  return out;
}

int run(bool quick, bool as_json) {
  const std::vector<std::array<int, 3>> sizes =
      quick ? std::vector<std::array<int, 3>>{{6, 6, 5}, {9, 9, 8}}
            : std::vector<std::array<int, 3>>{{9, 9, 8}, {13, 13, 12}, {20, 20, 20}};
  const std::vector<int> contact_counts = quick ? std::vector<int>{10, 25} : std::vector<int>{25, 100, 200};
  const int middle_nodes = sizes[1][0] * sizes[1][1] * sizes[1][2], middle_contacts = contact_counts[1];
#ifdef PALP_HAS_CHOLMOD
  const std::string blas = single_threaded_blas();
#else
  const std::string blas = "none";
#endif
  const double peak = peak_gflops();
  if (!as_json)
    std::printf("dense product: %.1f GFLOP/s on one core; BLAS of CHOLMOD: %s\n", peak, blas.c_str());

  std::vector<Row> rows;
  for (const auto& [nx, ny, nz] : sizes) {
    const ElasticBlock block = testing_support::elastic_block(nx, ny, nz);
    for (int contacts : contact_counts) {
      const PointJacobian H = testing_support::top_contacts(block, contacts);
      const std::vector<int> candidates = testing_support::touched_blocks(H);
      if (!as_json)
        std::printf("\n%d nodes, %zu tets, %d contacts on %zu nodes\n%-38s %20s %20s %9s %8s %6s %8s\n",
                    block.blocks(), block.tets.size() / 4, contacts, candidates.size(), "",
                    "refactor ms (p90)", "W ms (p90)", "GFLOP/s", "of peak", "times", "error");
      MatX reference;
      double plain = 0;
      for (const auto& [name, make] : ways()) {
        const auto way = make(block, H, candidates);
        Row row{name, block.blocks(), contacts, {}, {}};
        bool good = true;
        row.factor = measure(15, [&] { good = way->factor() && good; });
        if (!good) return std::fprintf(stderr, "%s could not factor the matrix\n", name.c_str()), 1;
        MatX W(3 * contacts, 3 * contacts);
        row.W = measure(15, [&] { way->project(W); });
        row.flops = way->factor_flops();
        if (reference.size() == 0) reference = W, plain = row.total();
        row.error = (W - reference).norm() / reference.norm();
        rows.push_back(row);
        const double rate = row.flops / row.factor.median * 1e-6;
        if (!as_json)
          std::printf("%-38s %10.2f (%7.2f) %10.2f (%7.2f) %9.1f %7.0f%% %6.1f %8.1e\n", name.c_str(),
                      row.factor.median, row.factor.p90, row.W.median, row.W.p90, rate, 100 * rate / peak,
                      plain / row.total(), row.error);
        std::fflush(stdout);
      }
    }
  }
  const std::vector<Growth> exponents = growth(rows, middle_nodes, middle_contacts);
  if (!as_json) {
    std::printf(
        "\ngrowth exponents: time ~ nodes^a at %d contacts, ~ contacts^b at %d nodes\n%-38s %10s %10s %10s\n",
        middle_contacts, middle_nodes, "", "factor a", "W a", "W b");
    for (const Growth& g : exponents)
      std::printf("%-38s %10.2f %10.2f %10.2f\n", g.way.c_str(), g.factor_in_nodes, g.W_in_nodes,
                  g.W_in_contacts);
    return 0;
  }
  nlohmann::json out{{"bench", "compliance"}, {"dense_product_gflops", peak}, {"blas", blas}};
  double plain = 0;
  for (const Row& row : rows) {
    if (row.way == rows.front().way) plain = row.total();
    out["rows"].push_back({{"way", row.way},
                           {"nodes", row.nodes},
                           {"contacts", row.contacts},
                           {"factor_ms", row.factor.median},
                           {"factor_p90_ms", row.factor.p90},
                           {"W_ms", row.W.median},
                           {"W_p90_ms", row.W.p90},
                           {"factor_gflops", row.flops / row.factor.median * 1e-6},
                           {"times_plain", plain / row.total()},
                           {"error", row.error}});
  }
  for (const Growth& g : exponents)
    out["growth"].push_back({{"way", g.way},
                             {"factor_in_nodes", g.factor_in_nodes},
                             {"W_in_nodes", g.W_in_nodes},
                             {"W_in_contacts", g.W_in_contacts}});
  std::printf("%s\n", out.dump(2).c_str());
  return 0;
}

}  // namespace
}  // namespace palp::bench

int main(int argc, char** argv) {
  bool quick = false, json = false;
  for (int i = 1; i < argc; ++i) {
    quick = quick || std::strcmp(argv[i], "--quick") == 0;
    json = json || std::strcmp(argv[i], "--json") == 0;
  }
  return palp::bench::run(quick, json);
}
