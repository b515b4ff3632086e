// A WebSocket as a client that never waits longer than it is told (Boost.Beast inside).
#pragma once
#include <memory>
#include <string>

#include "palp/base/result.hpp"

namespace palp {

class WebSocket {
 public:
  enum class Got { message, nothing, closed };
  /// An error when nobody listens there or does not speak WebSocket.
  static Result<WebSocket> connect(const std::string& host, const std::string& port, double patience_s);
  WebSocket(WebSocket&&) noexcept;
  WebSocket& operator=(WebSocket&&) noexcept;
  ~WebSocket();

  /// False when the other side is gone or does not take it in time.
  bool send(const std::string& text, double patience_s);
  Got receive(std::string& text, double patience_s);
  void close();

 private:
  struct Inside;
  explicit WebSocket(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace palp
