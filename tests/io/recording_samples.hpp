// Recordings whose every number follows from the tick: what is read back can be checked without a copy.
#pragma once
#include <cstring>
#include <random>

#include "palp/io/recorder.hpp"

namespace palp::samples {

inline RecordingSetup recording_setup() {
  RecordingSetup s;
  s.program_version = "1.2.3";
  s.scene_file = "scenes/ünïcode.yaml";
  s.scene_text = "bodies:\n  ball: {}\n";
  s.overrides = {{"bodies.ball.mu", "0.5"}};
  s.files = {{"mesh.stl", std::string("a\0b\xff", 4)}, {"empty.obj", ""}};
  s.settings = {{"seed", "42"}, {"runner", "single"}};
  s.h_s = 0.002;
  s.devices = {"left", "right/hand"};
  s.stages = {"free", "solve"};
  Grip g;
  g.device = 1;
  g.body = 0;
  g.frame = 3;
  g.lever = Vec3(0.1, -0.2, 1.0 / 3);
  g.turn = Quat(0.5, 0.5, -0.5, 0.5);
  g.coupling = {1234.5, 6.7, 8.9, 0.1};
  s.grips = {g};
  RecordingSetup::Body ball{"ball", true, 0, {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {{0, 1, 2}}, {}};
  RecordingSetup::Body rod{"rod", true, 0.01, {Vec3(0, 0, 0), Vec3(0, 0, 1)}, {}, {{0, 1}}};
  RecordingSetup::Body floor{"floor",     false, 0, {Vec3(0, 0, -1), Vec3(2, 0, -1), Vec3(0, 2, -1)},
                             {{0, 1, 2}}, {}};
  s.bodies = {ball, floor, rod};
  return s;
}

/// Random but fixed by the tick's number; every field is filled with finite, infinite and NaN bits alike.
inline TickRecord tick_number(std::uint64_t i) {
  std::mt19937_64 random(i);
  TickRecord t;
  std::array<std::uint64_t, sizeof(TickRecord) / 8> words;
  for (auto& w : words) w = random();
  std::memcpy(static_cast<void*>(&t), words.data(), sizeof(t));
  t.sequence = i;
  t.devices = 2;
  for (auto& d : t.device) d.reserved = 0;
  t.device[2] = t.device[3] = {};
  return t;
}

inline bool same_bits(const TickRecord& a, const TickRecord& b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

/// Contacts of tick i: i modulo 5 of them.
struct SampleContacts {
  std::vector<double> delta_free, lambda, W;
  int contacts, stride;

  explicit SampleContacts(std::uint64_t i) : contacts(static_cast<int>(i % 5)), stride(3 * contacts + 2) {
    std::mt19937_64 random(i + 1000000);
    std::normal_distribution<double> normal;
    for (int k = 0; k < 3 * contacts; ++k) {
      delta_free.push_back(normal(random));
      lambda.push_back(normal(random));
    }
    for (int k = 0; k < 3 * contacts * stride; ++k) W.push_back(normal(random));
  }
  ContactView view() const { return {contacts, delta_free, lambda, W, stride}; }
  bool same(const RecordedContacts& c) const {
    if (c.delta_free.size() != 3 * contacts || c.W.rows() != 3 * contacts) return false;
    for (int j = 0; j < 3 * contacts; ++j) {
      if (c.delta_free[j] != delta_free[j] || c.lambda[j] != lambda[j]) return false;
      for (int r = 0; r < 3 * contacts; ++r)
        if (c.W(r, j) != W[j * stride + r]) return false;
    }
    return true;
  }
};

}  // namespace palp::samples
