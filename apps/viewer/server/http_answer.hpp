// What the server answers to an HTTP request: who is trusted, which pages there are. No sockets here, so that
// any request can be tried without one.
#pragma once
#include "server.hpp"
#include <boost/beast/http.hpp>

namespace palp::view {

using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;
using HttpParser = boost::beast::http::request_parser<boost::beast::http::string_body>;
using HttpResponse = boost::beast::http::response<boost::beast::http::string_body>;

/// What a stranger may send: the page asks for short things.
void set_limits(HttpParser& parser);

struct HttpAnswer {
  boost::beast::http::status status = boost::beast::http::status::ok;
  std::string_view type = "text/plain", body = {};
  bool websocket = false;  ///< accept it as a viewer instead
};

/// `live`: there is a simulation. `viewers`: those who watch already. The answer refers to `settings`.
HttpAnswer answer_to(const HttpRequest& request, const ServerSettings& settings, bool live, int viewers);

HttpResponse response_to(const HttpRequest& request, const HttpAnswer& answer);

}  // namespace palp::view
