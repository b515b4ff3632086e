// The viewer's server: the page over HTTP, the simulation over a WebSocket (Boost.Beast), in one thread of
// its own.
//
// It listens on the loopback interface unless told otherwise. A page of another origin is turned away; bound
// to another interface, it demands a token. Messages have a largest size and a largest rate; a viewer that
// breaks them is sent away. A viewer that reads slowly is sent fewer frames, and is dropped when it reads
// nothing for seconds: nobody ever waits for it.
#pragma once
#include <memory>
#include <string>

#include "simulation.hpp"

namespace palp::view {

struct ServerSettings {
  std::string bind = "127.0.0.1";
  unsigned short port = 8421;  ///< 0: any free one
  std::string token;           ///< empty: made up when bound beyond loopback
  int most_viewers = 32, most_connections = 128;
  size_t largest_message = 16384;
  double messages_per_s = 300;  ///< twice as many at once
  double patience_s = 5;        ///< with a viewer that does not take what it was sent
  std::string recording;        ///< bytes of a recording that the page opens instead of a simulation
};

/// Counted since the start; read from any thread.
struct ServerFigures {
  int viewers = 0;
  long frames = 0, bytes = 0;  ///< sent, over all viewers
  long thinned = 0;            ///< frames that a slow viewer was not sent
  long dropped = 0;            ///< viewers sent away: too slow, too fast, too large
  long refused = 0;            ///< malformed commands
};

class Server {
 public:
  /// Listens and serves until destroyed. `simulation` (may be null when there is a recording) outlives the
  /// server.
  static Result<std::unique_ptr<Server>> start(Simulation* simulation, const ServerSettings& settings);
  ~Server();
  /// For the browser, with the token if there is one.
  std::string address() const;
  unsigned short port() const;
  ServerFigures figures() const;

 private:
  struct Inside;
  explicit Server(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace palp::view
