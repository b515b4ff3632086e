// What reaches the viewer from outside: HTTP requests, the page's commands, recordings that the page opens.
#pragma once
#include "hdf5_target.hpp"
#include "http_answer.hpp"
#include "messages.hpp"
#include "recording_stream.hpp"
#include "target.hpp"
#include <boost/asio/buffer.hpp>

namespace palp::fuzz {

/// Answers every request in the bytes; whoever is not this machine is refused.
inline std::string http_law(std::string_view bytes) {
  namespace http = boost::beast::http;
  view::ServerSettings settings;
  settings.recording = "PALPREC1";
  for (int requests = 0; requests < 4 && !bytes.empty(); ++requests) {
    view::HttpParser parser;
    view::set_limits(parser);
    parser.eager(true);
    boost::beast::error_code error;
    while (!parser.is_done() && !bytes.empty()) {
      const std::size_t used = parser.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
      bytes.remove_prefix(used);
      if (error || used == 0) break;
    }
    if (!parser.is_done()) return {};
    for (const char* token : {"", "secret"}) {
      settings.token = token;
      const auto& request = parser.get();
      const auto answer = view::answer_to(request, settings, true, 0);
      const auto response = view::response_to(request, answer);
      const auto host = request[http::field::host];
      const std::string_view name(host.data(), host.size());
      const bool digits = name.starts_with("127.") || name.starts_with("localhost") || name.starts_with("[");
      if (!*token && !digits && answer.status != http::status::forbidden) return "a stranger was answered";
      if (*token && (answer.websocket || answer.body == settings.recording) &&
          std::string_view(request.target().data(), request.target().size()).find("token=secret") ==
              std::string_view::npos)
        return "answered without the token";
      if (response.result_int() < 100 || response.result_int() > 599) return "a status that there is not";
    }
  }
  return {};
}

inline std::string message_law(std::string_view bytes) {
  const auto request = view::parse_request(bytes);
  if (!request) return {};
  if (!request->position.allFinite() || !request->orientation.coeffs().allFinite() ||
      !std::isfinite(request->command.value) || request->device < 0 || request->command.index < 0 ||
      request->colour > view::Colour::pressure)
    return "a command with numbers that are none";
  (void)view::notice("refused", bytes);  // text of a stranger, sent back
  return {};
}

inline std::string stream_law(std::string_view script) {
  return recording_law(script, [](const std::string& path) { (void)view::stream_recording(path, false); });
}

inline const Target http{"http", http_law};
inline const Target message{"message", message_law};
inline const Target stream{"recording", stream_law};

}  // namespace palp::fuzz
