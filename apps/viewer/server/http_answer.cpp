#include "http_answer.hpp"

#include "assets.hpp"
#include <boost/asio/ip/address.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

namespace palp::view {

namespace beast = boost::beast;
namespace http = beast::http;

namespace {

/// The page runs its own script and style, talks to its own server, and nothing else.
constexpr const char* content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
    "'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Takes as long for a wrong token as for the right one.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

/// This machine by its own name or by number. A name of somebody else's that leads here (DNS rebinding) is
/// neither.
bool is_loopback(std::string_view host) {
  if (host == "localhost") return true;
  const bool v6 = host.size() > 2 && host.front() == '[' && host.back() == ']';
  boost::system::error_code error;
  const auto address =
      boost::asio::ip::make_address(std::string(v6 ? host.substr(1, host.size() - 2) : host), error);
  return !error && address.is_v6() == v6 && address.is_loopback();
}

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

/// A page elsewhere must not reach us through the visitor's browser: neither by name (Host) nor as itself
/// (Origin). Bound beyond loopback, names are anybody's: the token decides.
bool trusted(const HttpRequest& request, const ServerSettings& settings) {
  const std::string_view host = view_of(request[http::field::host]);
  if (settings.token.empty() && !is_loopback(without_port(host))) return false;
  const std::string_view origin = view_of(request[http::field::origin]);
  return origin.empty() || (origin.starts_with("http://") && origin.substr(7) == host);
}

bool token_given(std::string_view target, const std::string& token) {
  if (token.empty()) return true;
  const size_t at = target.find("token=");
  if (at == std::string_view::npos) return false;
  const std::string_view value = target.substr(at + 6);
  return same(value.substr(0, value.find('&')), token);
}

}  // namespace

void set_limits(HttpParser& parser) {
  parser.header_limit(8192);
  parser.body_limit(1024);
}

HttpAnswer answer_to(const HttpRequest& request, const ServerSettings& settings, bool live, int viewers) {
  using http::status;
  const std::string_view target = view_of(request.target());
  const std::string_view path = target.substr(0, target.find('?'));
  if (!trusted(request, settings))
    return {status::forbidden, "text/plain", "This page is of another origin.\n"};
  if (path == "/live" || path == "/recording") {
    if (!token_given(target, settings.token))
      return {status::forbidden, "text/plain", "The address needs the token that palp view printed.\n"};
    if (path == "/recording") {
      if (settings.recording.empty()) return {status::not_found, "text/plain", "No recording.\n"};
      return {status::ok, "application/octet-stream", settings.recording};
    }
    if (!beast::websocket::is_upgrade(request))
      return {status::upgrade_required, "text/plain", "This address speaks WebSocket.\n"};
    if (viewers >= settings.most_viewers)
      return {status::service_unavailable, "text/plain", "There are too many viewers.\n"};
    return {.status = status::switching_protocols, .websocket = true};
  }
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return {status::method_not_allowed, "text/plain", "Only GET is answered.\n"};
  if (path == "/mode") return {status::ok, "application/json", live ? "{\"live\":true}" : "{\"live\":false}"};
  if (const Asset* asset = find_asset(path)) return {status::ok, asset->type, asset->body};
  return {status::not_found, "text/plain", "There is no such page.\n"};
}

HttpResponse response_to(const HttpRequest& request, const HttpAnswer& answer) {
  HttpResponse response(answer.status, request.version());
  response.set(http::field::content_type, beast::string_view(answer.type.data(), answer.type.size()));
  response.set(http::field::cache_control, "no-cache");
  response.set(http::field::x_frame_options, "DENY");
  response.set("Content-Security-Policy", content_policy);
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.keep_alive(request.keep_alive());
  response.content_length(answer.body.size());
  if (request.method() != http::verb::head) response.body().assign(answer.body);
  return response;
}

}  // namespace palp::view
