#include "palp/solvers/gauss_seidel.hpp"

#include <cmath>

#include "palp/solvers/local.hpp"
#include "palp/solvers/sweep.hpp"

namespace palp {

namespace {

/// Constants of Algorithm 1 for one contact. The inverse of a zero is zero: no compliance, no step.
struct DiagonalStep {
  double inverse_nn = 0;      ///< 1/W_nn
  double inverse_Lambda = 0;  ///< 1/Λ

  static DiagonalStep of(const Mat3& W) {
    const double Lambda = 0.5 * (W(1, 1) + W(2, 2));  // mean of the two eigenvalues = half the trace
    return {W(0, 0) > 0 ? 1 / W(0, 0) : 0, Lambda > 0 ? 1 / Lambda : 0};
  }
};

class GaussSeidel final : public Solver {
 public:
  enum class Rule { signorini, algorithm_1, exact };
  GaussSeidel(std::string_view name, Rule rule) : name_(name), rule_(rule) {}

  std::string_view name() const override { return name_; }

  Result<void> set_problem(const Problem& problem) override {
    if (auto ok = prepared_.set(problem); !ok) return ok;
    const int m = prepared_.m;
    delta_.resize(3 * m);
    diagonal_.resize(m);
    exact_.resize(rule_ == Rule::exact ? m : 0);
    bilateral_.resize(problem.kind.empty() ? 0 : m);
    applicable_ = true;
    for (int i = 0; i < m; ++i) {
      const Mat3& W_ii = prepared_.diagonal[i];
      if (prepared_.bilateral(i)) {
        bilateral_[i] = bilateral_inverse(W_ii);
        continue;
      }
      diagonal_[i] = DiagonalStep::of(W_ii);
      if (rule_ == Rule::exact) exact_[i] = LocalBlock::of(W_ii);
      if (rule_ == Rule::signorini && prepared_.mu(i) > 0) applicable_ = false;
    }
    return {};
  }

  void set_delta_free(ConstVecRef delta_free) override { prepared_.set_delta_free(delta_free); }

  SolveReport solve(const SolveOptions& options, VecRef f) override {
    if (!applicable_) {
      f.setZero();
      return {.status = SolveStatus::not_applicable};
    }
    cycling_ = {};
    bool exact_turn = true;
    const auto step = [&](int i, const Vec3& f_i, const Vec3& delta_i) -> Vec3 {
      if (prepared_.bilateral(i)) return f_i - bilateral_[i] * delta_i;
      if (rule_ == Rule::signorini) return signorini_step(i, f_i, delta_i);
      if (rule_ == Rule::exact && exact_turn) return exact_step(i, f_i, delta_i);
      return algorithm_1_step(i, f_i, delta_i);
    };
    const auto observe = [&](const Certificate& c) {
      if (cycling_.seen(c.value)) exact_turn = !exact_turn;
    };
    return sweep_until_certified(prepared_, options, delta_, f, step, observe);
  }

 private:
  /// Notices that the certificate no longer falls: no improvement by a tenth within a window of evaluations.
  /// The window doubles each time, so that slow progress is not disturbed for ever.
  struct CycleWatch {
    double best = std::numeric_limits<double>::infinity();
    int without_progress = 0, window = 4;
    bool seen(double certificate) {
      if (certificate < 0.9 * best) {
        best = certificate;
        without_progress = 0;
        return false;
      }
      if (++without_progress < window) return false;
      best = certificate;
      without_progress = 0;
      window *= 2;
      return true;
    }
  };

  Vec3 signorini_step(int i, const Vec3& f_i, const Vec3& delta_i) const {
    return {std::max(0.0, f_i[0] - delta_i[0] * diagonal_[i].inverse_nn), 0, 0};
  }

  /// The body of D06 Algorithm 1 (ε₁ = 0).
  Vec3 algorithm_1_step(int i, const Vec3& f_i, const Vec3& delta_i) const {
    const DiagonalStep& D = diagonal_[i];
    Vec3 f = {f_i[0] - delta_i[0] * D.inverse_nn, f_i[1] - delta_i[1] * D.inverse_Lambda,
              f_i[2] - delta_i[2] * D.inverse_Lambda};
    if (!(f[0] > 0)) return Vec3::Zero();
    const double limit = prepared_.mu(i) * f[0], length = std::sqrt(f[1] * f[1] + f[2] * f[2]);
    if (length > limit) f.tail<2>() *= limit / length;
    return f;
  }

  Vec3 exact_step(int i, const Vec3& f_i, const Vec3& delta_i) const {
    return solve_local(exact_[i], delta_i - prepared_.diagonal[i] * f_i, prepared_.mu(i)).f;
  }

  std::string_view name_;
  Rule rule_;
  bool applicable_ = true;
  Prepared prepared_;
  GrowingVector delta_;                 // 3m
  std::vector<DiagonalStep> diagonal_;  // m
  std::vector<LocalBlock> exact_;       // m, exact rule only
  std::vector<Mat3> bilateral_;         // m when there are bilateral blocks
  CycleWatch cycling_;
};

}  // namespace

std::unique_ptr<Solver> make_signorini_gs() {
  return std::make_unique<GaussSeidel>("signorini_gs", GaussSeidel::Rule::signorini);
}
std::unique_ptr<Solver> make_coulomb_gs() {
  return std::make_unique<GaussSeidel>("coulomb_gs", GaussSeidel::Rule::algorithm_1);
}
std::unique_ptr<Solver> make_coulomb_nsgs() {
  return std::make_unique<GaussSeidel>("coulomb_nsgs", GaussSeidel::Rule::exact);
}

}  // namespace palp
