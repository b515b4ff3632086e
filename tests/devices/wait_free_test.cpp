// No tick waits for a socket or a vendor's call. To wait a thread must call the system: the thread of these
// ticks may not, the kernel tells of every attempt, and the devices behind it hang, break and come back
// meanwhile.
#include <csignal>
#include <cstddef>
#include <cstdlib>

#include "rig.hpp"
#include "support/sanitized.hpp"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace palp {
namespace wait_free_test {

std::atomic<long> calls{0};
std::atomic<int> last_call{-1};

void on_call(int, siginfo_t* info, void*) {
  ++calls;
  last_call = info->si_syscall;
}

/// From now on this thread's system calls are refused and told, but for those of its own end. Reading the
/// clock is no call on most machines, and waits for nobody on the others.
bool forbid_calls() {
  struct sigaction action {};
  action.sa_sigaction = on_call;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, nullptr);
  const int allowed[] = {SYS_clock_gettime, SYS_exit,    SYS_exit_group,     SYS_rt_sigreturn,
                         SYS_munmap,        SYS_madvise, SYS_rt_sigprocmask, SYS_rseq};
  constexpr int n = sizeof(allowed) / sizeof(int);
  sock_filter filter[n + 3];
  filter[0] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
  for (int i = 0; i < n; ++i)
    filter[1 + i] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(allowed[i]),
                             static_cast<unsigned char>(n - i), 0);
  filter[n + 1] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  filter[n + 2] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_fprog program{n + 3, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

class WaitFree : public ::testing::TestWithParam<std::string> {};

TEST_P(WaitFree, no_tick_calls_the_system_whatever_the_device_does) {
#ifdef PALP_SANITIZED
  GTEST_SKIP() << "sanitizers call the system on their own";
#endif
  Rig rig(GetParam());
  auto device = rig.device();
  auto ok = device->open();
  ASSERT_TRUE(ok) << ok.error().text();
  std::atomic<bool> stop{false}, refused{false};
  std::atomic<long> ticks{0}, absent{0}, seen{-1};
  calls = 0;
  std::thread loop([&] {
    SafetyChain chain(device->info().limits, 1e-3, device->read(0).pose);
    void* volatile first = std::malloc(1);  // the thread's own heap, which its end needs
    std::free(first);
    if (!forbid_calls()) {
      refused = true;
      return;
    }
    for (double due = now_us(); !stop; due += 1e3) {
      while (now_us() < due && !stop) {
      }
      const DeviceReading r = device->read(0);
      const DevicePose pose = chain.admit(r.pose, r.present);
      device->write(chain.release({Vec3(1, 0, 0) + 0 * pose.position, Vec3::Zero()}), 1e-3);
      absent += !r.present;
      ++ticks;
    }
    seen = calls.load();
    const timespec moment{0, 1};  // and a wait would have been seen
    nanosleep(&moment, nullptr);
  });
  const auto pass = [&](long more) {
    const long until = ticks + more;
    return eventually([&] { return ticks > until || refused; });
  };
  EXPECT_TRUE(pass(50));
  for (const Fault fault : {Fault::silence, Fault::late, Fault::closed, Fault::unplugged, Fault::malformed}) {
    rig.arm->set(fault);
    EXPECT_TRUE(pass(60));
    rig.arm->set(Fault::none);
    EXPECT_TRUE(eventually([&] { return device->health().present || refused; })) << name_of(fault);
  }
  stop = true;
  loop.join();
  if (refused) GTEST_SKIP() << "this kernel has no seccomp";
  EXPECT_GT(absent, 0);
  EXPECT_EQ(seen, 0) << "the last one was number " << last_call;
  EXPECT_EQ(calls, seen + 1);
}

INSTANTIATE_TEST_SUITE_P(All, WaitFree,
                         ::testing::Values("haply", "udp", "forcedimension", "openhaptics", "virtuose",
                                           "spacenav", "gamepad"),
                         [](const auto& p) { return p.param; });

}  // namespace wait_free_test
}  // namespace palp
