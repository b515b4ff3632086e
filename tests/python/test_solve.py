"""Contact problems as arrays."""
import numpy as np
import palp
import pytest

W = np.diag([2e-3, 1e-3, 1e-3])  # one contact, m/N


def test_one_contact_sticks_and_slips():
    stuck = palp.solve(W, [-1e-3, 1e-5, 0], 0.5, tolerance=1e-12)
    assert stuck["f"] == pytest.approx([0.5, -0.01, 0], abs=1e-9)  # f_n = 1e-3/2e-3; friction holds 1e-5/1e-3
    slipping = palp.solve(W, [-1e-3, 1e-3, 0], 0.5, tolerance=1e-12)
    assert slipping["f"] == pytest.approx([0.5, -0.25, 0], abs=1e-9)  # μ f_n
    assert slipping["delta"] == pytest.approx([0, 1e-3 - 0.25e-3, 0], abs=1e-12)
    apart = palp.solve(W, [1e-3, 1, 1], 0.5)
    assert np.all(apart["f"] == 0) and apart["certificate"] == 0
    held = palp.solve(W, [1e-3, 1e-3, 0], 0.5, bilateral=[True], tolerance=1e-12)
    assert held["f"] == pytest.approx([-0.5, -1, 0], abs=1e-9)  # pulls too, without a cone


def random_problem(m, seed=1):
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(3 * m, 3 * m + 6))
    return J @ J.T / (3 * m), rng.normal(size=3 * m), np.full(m, 0.4)


def test_solvers_agree_and_the_certificate_judges():
    W, delta_free, mu = random_problem(6)
    answers = [palp.solve(W, delta_free, mu, solver=s, tolerance=1e-10, max_sweeps=200000)["f"]
               for s in ("coulomb", "coulomb_nsgs")]
    assert answers[0] == pytest.approx(answers[1], abs=1e-7)
    assert palp.certificate(W, delta_free, mu, answers[0]) <= 1e-10
    assert palp.certificate(W, delta_free, mu, answers[0] + 0.1) > 1e-3
    f, delta = answers[0].reshape(-1, 3), (W @ answers[0] + delta_free).reshape(-1, 3)
    assert np.all(np.linalg.norm(f[:, 1:], axis=1) <= 0.4 * f[:, 0] + 1e-8) and delta[:, 0].min() > -1e-8
    assert "coulomb" in palp.solvers()


def test_a_warm_start_from_the_answer_needs_next_to_nothing():
    problem = random_problem(10)
    cold = palp.solve(*problem, solver="coulomb_nsgs", tolerance=1e-9, max_sweeps=100000)
    warm = palp.solve(*problem, solver="coulomb_nsgs", tolerance=1e-9, start=cold["f"])
    assert warm["sweeps"] <= 1 < cold["sweeps"]


def test_a_sparse_matrix_is_the_same_problem():
    class Coo:
        """What SciPy's matrices offer."""
        def __init__(self, dense):
            self.shape = dense.shape
            self.row, self.col = np.nonzero(dense)
            self.data = dense[self.row, self.col]

        def tocoo(self):
            return self

    W, delta_free, mu = random_problem(5)
    a, b = palp.solve(W, delta_free, mu, tolerance=1e-10), palp.solve(Coo(W), delta_free, mu, tolerance=1e-10)
    assert a["f"] == pytest.approx(b["f"], abs=1e-8)


def test_what_is_no_problem_is_refused():
    with pytest.raises(palp.Error, match="indefinite|definite"):
        palp.solve(-W, [0, 0, 0], 0.5)
    with pytest.raises(palp.Error):
        palp.solve(W, [np.nan, 0, 0], 0.5)
    with pytest.raises(palp.Error, match="coulomb"):
        palp.solve(W, [0, 0, 0], 0.5, solver="colomb")
    for wrong in ((np.eye(4), [0, 0, 0], 0.5), (W, [0, 0], 0.5), (W, [0, 0, 0], [0.5, 0.5])):
        with pytest.raises(ValueError):
            palp.solve(*wrong)
