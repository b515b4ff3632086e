#include "simulation.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <utility>

#include "sliders.hpp"
#include "tool.hpp"
#include <pthread.h>

#include "palp/base/clock.hpp"

namespace palp::view {
namespace {

constexpr double farthest_behind_us = 50e3;  ///< a simulation that is later than this goes on from now
constexpr double longest_sleep_us = 4e3;     ///< so that commands are heard

void sleep_until_us(double time) {
  const double left = time - now_us();
  if (left > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(left));
}

/// A visitor's hand does not wait: a contact problem that takes longer than a step lasts is cut off (the
/// certificate tells), unless the scene has its own limit.
void keep_real_time(Scene& scene) {
  double& budget = scene.model.solver.options.budget_us;
  budget = std::min(budget, 1e6 * scene.model.h_s);
  if (scene.two_rate) {
    auto& settings = scene.two_rate->settings;
    settings.virtual_budget_us = std::min(settings.solve.budget_us, 1e6 * settings.h_high_s);
    scene.two_rate->model.solver.options.budget_us = budget;
  }
}

}  // namespace

std::string description_of(const std::string& scene_text) {
  std::istringstream lines(scene_text);
  std::string out;
  for (std::string line; std::getline(lines, line) && line.starts_with('#');) {
    line.erase(0, line.find_first_not_of("# "));
    if (!out.empty() && !line.empty()) out += ' ';
    out += line;
  }
  return out;
}

Result<std::unique_ptr<Simulation>> Simulation::start(const SimulationSettings& settings) {
  if (settings.scenes.empty()) return Error{.message = "no scene to show", .remedy = "name a scene file"};
  if (!(settings.frames_per_s > 0)) return Error{.message = "a frame rate is above zero"};
  std::unique_ptr<Simulation> simulation(new Simulation(settings));
  if (!simulation->load(0)) return Error{.message = simulation->trouble()};
  simulation->publish();
  simulation->thread_ = std::thread([s = simulation.get()] { s->loop(); });
  return simulation;
}

Simulation::Simulation(const SimulationSettings& settings)
    : settings_(settings), playing_(settings.playing), speed_(settings.speed) {
  for (auto& visitor : visitors_) visitor = std::make_shared<VisitorChannel>();
}

Simulation::~Simulation() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  live_.reset();
}

std::shared_ptr<const SceneText> Simulation::scene() {
  const std::lock_guard lock(text_mutex_);
  return text_;
}

std::string Simulation::trouble() {
  const std::lock_guard lock(text_mutex_);
  return trouble_;
}

double Simulation::computing_us() {
  clockid_t clock;
  timespec t{};
  if (pthread_getcpuclockid(thread_.native_handle(), &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

void Simulation::set_trouble(const std::string& text) {
  const std::lock_guard lock(text_mutex_);
  trouble_ = text;
}

void Simulation::audience(int viewers, unsigned wishes) {
  viewers_ = viewers;
  wishes_ = wishes;
}

/// Real time: the next step is due when the one before has lasted h / speed.
void Simulation::loop() {
  const double frame_us = 1e6 / settings_.frames_per_s;
  double due = now_us(), next_frame = due, rate_since = due, rate_from = run_->state().time_s;
  Command wanted;
  while (!stop_) {
    while (commands_.pop(wanted)) {
      obey(wanted);
      dirty_ = true;
    }
    if (const unsigned wishes = wishes_; wishes != std::exchange(wishes_seen_, wishes)) dirty_ = true;
    const bool watched = viewers_ > 0 || settings_.unwatched;
    const bool stepping = !live_ && watched && (playing_ || steps_wanted_ > 0);
    if (live_) watch();
    double now = now_us();
    if (stepping && now >= due) {
      advance();
      if (steps_wanted_ > 0) --steps_wanted_;
      due += 1e6 * run_->step_s() / speed_;
      now = now_us();
      if (now - due > farthest_behind_us) due = now;
    } else if (!stepping) {
      due = now;
    }
    if (now - rate_since > 0.5e6) {
      const double reached = live_ ? live_->time_s() : run_->state().time_s;
      rate_ = std::max(0.0, 1e6 * (reached - rate_from) / (now - rate_since));
      rate_since = now;
      rate_from = reached;
    }
    if (now >= next_frame && dirty_) {
      if (viewers_ > 0) publish();
      next_frame = std::max(next_frame + frame_us, now - frame_us);
    }
    double wake = now + longest_sleep_us;
    if (stepping) wake = std::min(wake, due);
    if (dirty_) wake = std::min(wake, next_frame);
    sleep_until_us(wake);
  }
}

void Simulation::advance() {
  if (run_->advance()) {
    ++steps_;
    samples_.push(sample_of(run_->record()));
  } else {
    playing_ = false;
    failed_ = true;
    set_trouble("Step " + std::to_string(run_->state().step) + ": " +
                explain(*scene_, run_->record().report));
  }
  dirty_ = true;
}

/// The scene runs by itself: is there something new to show, has it ended?
void Simulation::watch() {
  if (live_->look()) {
    dirty_ = true;
    samples_.push(live_->sample());
  }
  if (playing_ && !live_->running()) {
    playing_ = false;
    failed_ = true;
    const std::string why = live_->stop();
    set_trouble(why.empty() ? "The run has ended." : why);
    dirty_ = true;
  }
}

void Simulation::publish() {
  ViewFrame& frame = frames_.back();
  if (frame.generation != generation_) frame.bodies.clear();
  frame.generation = generation_;
  frame.serial = ++serial_;
  frame.playing = playing_;
  frame.failed = failed_;
  frame.speed = static_cast<float>(speed_);
  frame.rate = static_cast<float>(rate_);
  if (live_ && live_->time_s() > 0)
    live_->take(wishes_seen_, frame);
  else
    capture_->take(*run_, wishes_seen_, frame);
  frames_.publish();
  dirty_ = viewers_ == 0;
}

void Simulation::obey(const Command& c) {
  switch (c.kind) {
    case Command::Kind::play:
      if (live_ && !playing_) {
        load(number_);
        break;
      }
      playing_ = !failed_;
      break;
    case Command::Kind::pause:
      if (live_) live_->stop();
      playing_ = false;
      break;
    case Command::Kind::step:
      if (live_) break;
      playing_ = false;
      if (!failed_) steps_wanted_ = std::min(steps_wanted_ + 1, 100);
      break;
    case Command::Kind::reset:
      load(number_);
      break;
    case Command::Kind::speed:
      if (std::isfinite(c.value)) speed_ = std::clamp(c.value, 0.01, 4.0);
      break;
    case Command::Kind::scene:
      if (c.index >= 0 && c.index < static_cast<int>(settings_.scenes.size())) {
        auto changes = std::exchange(changes_, {});
        auto sliders = std::exchange(sliders_, {});
        if (!load(c.index)) {  // the old one stays, as it was turned
          changes_ = std::move(changes);
          sliders_ = std::move(sliders);
        }
      }
      break;
    case Command::Kind::slider:
      turn(c.index, c.value);
      break;
  }
}

/// Loads a scene from its file. On failure the old one stays, and the trouble is told. The sliders of the
/// same scene keep their values.
bool Simulation::load(int scene) {
  SceneResult result = load_scene(settings_.scenes[scene], changes_);
  const auto prepare = [&](const Result<void>& ok) {
    if (ok) return;
    result.errors.push_back(ok.error());
    result.scene = nullptr;
  };
  if (result.scene) prepare(make_touchable(*result.scene, visitors_, settings_.pages));
  if (result.scene && settings_.attach) {
    live_.reset();  // two runs cannot hold one device
    prepare(settings_.attach(*result.scene));
  }
  if (!result.scene) {
    std::string text = "The scene could not be loaded.";
    for (const Error& e : result.errors) text.append("\n").append(e.text());
    set_trouble(text);
    return false;
  }
  scene_ = std::move(result.scene);
  keep_real_time(*scene_);
  number_ = scene;
  failed_ = false;
  steps_wanted_ = 0;
  playing_ = playing_ || settings_.playing;
  if (sliders_.empty()) sliders_ = make_sliders(*scene_);
  for (const Slider& slider : sliders_)
    if (slider.kind != Slider::Kind::youngs_modulus) apply(slider, slider.value, *scene_);
  run_ = std::make_unique<SceneRun>(*scene_);
  capture_ = std::make_unique<Capture>(*scene_);
  colouring_ = std::make_shared<const Colouring>(*scene_);
  set_trouble("");
  if (settings_.attach) {
    playing_ = true;
    auto live = LiveWindow::start(*scene_);
    if (live)
      live_ = std::move(*live);
    else
      set_trouble(live.error().text());
  }
  ++generation_;
  tell();
  return true;
}

void Simulation::turn(int slider, double value) {
  if (slider < 0 || slider >= static_cast<int>(sliders_.size()) || !std::isfinite(value)) return;
  Slider& s = sliders_[slider];
  s.value = std::clamp(value, s.least, s.most);
  const SceneOverride change = apply(s, s.value, *scene_);
  if (!change.key.empty()) {
    std::erase_if(changes_, [&](const SceneOverride& c) { return c.key == change.key; });
    changes_.push_back(change);
  }
  if (scene_->two_rate || live_)
    load(number_);  // the loop has its own copy of the model, or its own threads: it starts again
  else if (!change.key.empty())
    rebuild();
  tell();
}

/// Builds the bodies again with the changes and goes on from the present state; devices, grips and contact
/// rules stay.
void Simulation::rebuild() {
  SceneResult result = load_scene(settings_.scenes[number_], changes_);
  if (result.scene && make_touchable(*result.scene, visitors_, settings_.pages)) {
    bool alike = result.scene->model.bodies.size() == scene_->model.bodies.size();
    const State fresh = make_state(result.scene->model);
    for (size_t b = 0; alike && b < fresh.bodies.size(); ++b)
      alike = fresh.bodies[b].x.size() == run_->state().bodies[b].x.size();
    if (alike) {
      keep_real_time(*result.scene);
      result.scene->devices = std::move(scene_->devices);
      result.scene->grips = std::move(scene_->grips);
      result.scene->model.rules = std::move(scene_->model.rules);
      auto run = std::make_unique<SceneRun>(*result.scene);
      run->state() = run_->state();
      capture_ = std::make_unique<Capture>(*result.scene, capture_->newest());
      run_ = std::move(run);
      scene_ = std::move(result.scene);
      colouring_ = std::make_shared<const Colouring>(*scene_);
      return;
    }
  }
  load(number_);
}

/// Tells viewers what the scene is now.
void Simulation::tell() {
  auto text = std::make_shared<SceneText>();
  text->generation = generation_;
  text->revision = ++revision_;
  text->file = scene_->spec.file;
  text->title = std::filesystem::path(scene_->spec.file).stem().string();
  text->scene = number_;
  for (const auto& file : settings_.scenes)
    text->scenes.push_back(std::filesystem::path(file).stem().string());
  for (const auto& entry : scene_->model.bodies) {
    text->body_names.push_back(entry.name);
    text->movable.push_back(entry.body->movable());
    text->skins.push_back(entry.body->skin());
  }
  for (const auto& device : scene_->devices) {
    text->device_names.push_back(device.name);
    text->device_kinds.push_back(device.device->info().kind);
  }
  text->gravity = scene_->model.gravity;
  text->sliders = sliders_;
  text->description = description_of(scene_->spec.text);
  text->colouring = colouring_;
  const std::lock_guard lock(text_mutex_);
  text_ = std::move(text);
}

}  // namespace palp::view
