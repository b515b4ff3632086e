// One page that watches: a WebSocket, what it has been sent, what it asks for.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "hub.hpp"
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

namespace palp::view {

class Viewer : public std::enable_shared_from_this<Viewer> {
 public:
  Viewer(boost::beast::tcp_stream stream, Hub& hub);
  void accept(const boost::beast::http::request<boost::beast::http::empty_body>& request);
  /// There is a new frame: it is sent if the last one has gone out, and skipped otherwise.
  void offer();
  /// A short text; the oldest is lost when many wait.
  void tell(std::string text);
  void close();
  bool wants_delassus() const { return delassus_; }
  Colour colour() const { return colour_; }

 private:
  void read();
  void obey(std::string_view text);
  void hold(const Request& request);
  void send_next();
  bool compose();
  void drop();
  void leave();
  bool within_rate();

  boost::beast::websocket::stream<boost::beast::tcp_stream> socket_;
  Hub& hub_;
  boost::beast::flat_buffer incoming_;
  Bytes outgoing_;                 ///< being written
  std::deque<std::string> texts_;  ///< wait to be written
  std::string text_out_;           ///< being written
  bool writing_ = false, joined_ = false, delassus_ = false, frame_waits_ = false, warned_ = false;
  Colour colour_ = Colour::none;
  double writing_since_us_ = 0;
  std::uint32_t generation_ = 0, revision_ = 0;
  std::vector<std::uint32_t> seen_;  ///< version of each body that the page has
  long next_sample_ = 0;
  double allowance_, allowance_at_us_;
};

}  // namespace palp::view
