// palp doctor: how fit this machine is for a haptic loop at 1 kHz. Sleeps until each millisecond, notes how
// late it wakes, asks the system which rights it has, and says in words what that means.
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "commands.hpp"
#include <nlohmann/json.hpp>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

#include "palp/base/statistics.hpp"

namespace palp::cli {
namespace doctor_command {

using Json = nlohmann::ordered_json;

constexpr long period_ns = 1'000'000;
/// Upper ends of the histogram's bins, in microseconds; one more bin for the rest.
constexpr std::array<double, 10> bin_ends{10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};

struct Jitter {
  bool measured = false;
  std::vector<double> late_us;
  long missed = 0;  ///< milliseconds that were over before the thread woke

  std::array<long, bin_ends.size() + 1> histogram() const {
    std::array<long, bin_ends.size() + 1> bins{};
    for (double v : late_us)
      ++bins[static_cast<size_t>(std::upper_bound(bin_ends.begin(), bin_ends.end(), v) - bin_ends.begin())];
    return bins;
  }
};

double since_us(const timespec& from, const timespec& to) {
  return 1e6 * double(to.tv_sec - from.tv_sec) + 1e-3 * double(to.tv_nsec - from.tv_nsec);
}

void add_ns(timespec& t, long ns) {
  t.tv_nsec += ns;
  while (t.tv_nsec >= 1'000'000'000) {
    t.tv_nsec -= 1'000'000'000;
    ++t.tv_sec;
  }
}

bool become_realtime() {
  sched_param p{};
  p.sched_priority = 80;
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &p) == 0;
}

/// In a thread of its own, so that its priority ends with it.
Jitter measure(double seconds, bool realtime) {
  Jitter j;
  std::thread([&] {
    if (realtime && !become_realtime()) return;
    const long ticks = static_cast<long>(seconds * 1e9 / period_ns);
    j.late_us.reserve(static_cast<size_t>(ticks));
    timespec next, now;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (long i = 0; i < ticks; ++i) {
      add_ns(next, period_ns);
      while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr) != 0) {
      }
      clock_gettime(CLOCK_MONOTONIC, &now);
      const double late = since_us(next, now);
      j.late_us.push_back(late);
      const long over = static_cast<long>(late / (1e-3 * period_ns));
      j.missed += over;
      i += over;
      for (long k = 0; k < over; ++k) add_ns(next, period_ns);
    }
    j.measured = true;
  }).join();
  return j;
}

std::string first_line(const char* path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

struct System {
  bool fifo = false, memory_lock = false;
  long rtprio = 0;        ///< largest priority allowed; −1: no limit
  double memlock_MB = 0;  ///< −1: no limit
  int cores = 0, allowed = 0;
  std::string kernel, governor, isolated, load;
  bool rt_kernel = false;
};

System examine() {
  System s;
  std::thread([&] { s.fifo = become_realtime(); }).join();
  rlimit limit{};
  getrlimit(RLIMIT_RTPRIO, &limit);
  s.rtprio = limit.rlim_cur == RLIM_INFINITY ? -1 : static_cast<long>(limit.rlim_cur);
  getrlimit(RLIMIT_MEMLOCK, &limit);
  s.memlock_MB = limit.rlim_cur == RLIM_INFINITY ? -1 : double(limit.rlim_cur) / 1048576;
  s.memory_lock = mlockall(MCL_CURRENT) == 0;
  munlockall();
  s.cores = static_cast<int>(std::thread::hardware_concurrency());
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) s.allowed = CPU_COUNT(&set);
  utsname name{};
  if (uname(&name) == 0) s.kernel = std::string(name.sysname) + " " + name.release;
  s.rt_kernel = first_line("/sys/kernel/realtime") == "1";
  s.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  s.isolated = first_line("/sys/devices/system/cpu/isolated");
  s.load = first_line("/proc/loadavg");
  s.load = s.load.substr(0, s.load.find(' '));
  return s;
}

enum class Verdict { fit, usable, unfit };

/// A tick has 1000 µs. Late by a tenth costs nothing; late by half leaves no room for the computation.
Verdict judge(const Jitter& j) {
  const double p999 = quantile(j.late_us, 0.999), worst = quantile(j.late_us, 1);
  if (p999 < 100 && worst < 500 && j.missed == 0) return Verdict::fit;
  if (p999 < 500 && double(j.missed) < 1e-3 * double(j.late_us.size())) return Verdict::usable;
  return Verdict::unfit;
}

const char* text(Verdict v) {
  switch (v) {
    case Verdict::fit:
      return "fit for 1 kHz";
    case Verdict::usable:
      return "usable at 1 kHz, with late ticks now and then";
    default:
      return "not fit for 1 kHz as it is now";
  }
}

std::vector<std::string> advice(const System& s, const Jitter& best, Verdict v) {
  std::vector<std::string> out;
  if (!s.fifo)
    out.push_back("no right to real-time priority: give the user 'rtprio 80' in /etc/security/limits.conf");
  if (!s.memory_lock) out.push_back("memory cannot be locked: raise 'memlock' in /etc/security/limits.conf");
  if (s.cores < 2 || s.allowed < 2)
    out.push_back("one core only: the low-rate thread and the haptic thread share it, expect late ticks");
  if (!s.governor.empty() && s.governor != "performance")
    out.push_back("the processor's clock follows the load (governor '" + s.governor +
                  "'): 'performance' is steadier");
  if (v != Verdict::fit && std::atof(s.load.c_str()) > 0.5 * s.cores)
    out.push_back("the machine is busy (load " + s.load + "): close other programs and measure again");
  if (v != Verdict::fit && !s.rt_kernel) out.push_back("a kernel with PREEMPT_RT bounds the latest tick");
  if (best.missed > 0)
    out.push_back(std::to_string(best.missed) +
                  " ticks were missed altogether: with a device the watchdog would let the force decay");
  return out;
}

Json to_json(const Jitter& j) {
  if (!j.measured) return nullptr;
  Json bins = Json::array();
  const auto counts = j.histogram();
  for (size_t i = 0; i < counts.size(); ++i)
    bins.push_back(
        {{"below_us", i < bin_ends.size() ? Json(bin_ends[i]) : Json(nullptr)}, {"ticks", counts[i]}});
  return {{"ticks", j.late_us.size()},
          {"missed", j.missed},
          {"late_us",
           {{"p50", quantile(j.late_us, 0.5)},
            {"p99", quantile(j.late_us, 0.99)},
            {"p999", quantile(j.late_us, 0.999)},
            {"max", quantile(j.late_us, 1)}}},
          {"histogram", bins}};
}

void print(const char* title, const Jitter& j) {
  std::printf(
      "%s: woke %zu times, %ld milliseconds passed asleep; late by %.0f µs (median), %.0f (99 %%), %.0f "
      "(99.9 %%), "
      "%.0f (worst)\n",
      title, j.late_us.size(), j.missed, quantile(j.late_us, 0.5), quantile(j.late_us, 0.99),
      quantile(j.late_us, 0.999), quantile(j.late_us, 1));
  const auto counts = j.histogram();
  const long most = *std::max_element(counts.begin(), counts.end());
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    // Logarithmic, so that a single late tick still shows.
    const int width = static_cast<int>(1 + 39 * std::log1p(double(counts[i])) / std::log1p(double(most)));
    if (i < bin_ends.size())
      std::printf("  %5.0f to %5.0f µs", i > 0 ? bin_ends[i - 1] : 0.0, bin_ends[i]);
    else
      std::printf("  later           ");
    std::printf(" %8ld %.*s\n", counts[i], width, "########################################");
  }
}

void run_doctor(double seconds, bool json) {
  const System s = examine();
  const Jitter normal = measure(seconds, false);
  const Jitter realtime = s.fifo ? measure(seconds, true) : Jitter{};
  const Jitter& best = realtime.measured ? realtime : normal;
  const Verdict verdict = judge(best);
  const auto lines = advice(s, best, verdict);
  if (json) {
    const Json out{{"verdict", verdict == Verdict::fit      ? "fit"
                               : verdict == Verdict::usable ? "usable"
                                                            : "unfit"},
                   {"explanation", text(verdict)},
                   {"advice", lines},
                   {"scheduling",
                    {{"fifo", s.fifo},
                     {"rtprio_limit", s.rtprio},
                     {"memory_lock", s.memory_lock},
                     {"memlock_limit_MB", s.memlock_MB}}},
                   {"cores", {{"online", s.cores}, {"allowed", s.allowed}, {"isolated", s.isolated}}},
                   {"kernel", s.kernel},
                   {"rt_kernel", s.rt_kernel},
                   {"governor", s.governor},
                   {"load", s.load},
                   {"timer", to_json(normal)},
                   {"timer_realtime", to_json(realtime)}};
    std::printf("%s\n", out.dump(2).c_str());
    return;
  }
  std::printf("verdict     %s\n", text(verdict));
  for (const auto& line : lines) std::printf("            - %s\n", line.c_str());
  std::printf("kernel      %s%s\n", s.kernel.c_str(), s.rt_kernel ? ", PREEMPT_RT" : "");
  std::printf("cores       %d, this program may use %d%s%s; load %s\n", s.cores, s.allowed,
              s.isolated.empty() ? "" : ", isolated ", s.isolated.c_str(), s.load.c_str());
  std::printf("governor    %s\n", s.governor.empty() ? "not readable" : s.governor.c_str());
  std::printf("priority    %s\n", s.fifo ? "real-time priority is permitted" : "no real-time priority");
  std::printf("memory      %s\n", s.memory_lock ? "can be locked" : "cannot be locked");
  std::printf("\nA program that sleeps until each millisecond, as the haptic thread does:\n");
  print("ordinary priority", normal);
  if (realtime.measured) print("real-time priority", realtime);
}

}  // namespace doctor_command

void add_doctor(CLI::App& app) {
  using namespace doctor_command;
  auto seconds = std::make_shared<double>(3);
  auto json = std::make_shared<bool>(false);
  auto* command = app.add_subcommand("doctor", "How fit this machine is for 1 kHz");
  command->footer("Example:  palp doctor --seconds 10");
  command->add_option("--seconds", *seconds, "Length of each measurement")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 3600.0));
  command->add_flag("--json", *json, "Answer for machines");
  command->callback([seconds, json] { run_doctor(*seconds, *json); });
}

}  // namespace palp::cli
