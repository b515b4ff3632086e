// Who is answered by the viewer's server: pages of this machine, whatever number of its loopback they use;
// and nobody who comes through a name of his own.
#include "http_answer.hpp"

#include <gtest/gtest.h>

namespace palp::view {
namespace http_answer_test {

namespace http = boost::beast::http;

unsigned status(const std::string& host, const std::string& origin = "", const std::string& target = "/mode",
                const std::string& token = "") {
  HttpRequest request(http::verb::get, target, 11);
  request.set(http::field::host, host);
  if (!origin.empty()) request.set(http::field::origin, origin);
  ServerSettings settings;
  settings.token = token;
  return static_cast<unsigned>(answer_to(request, settings, true, 0).status);
}

TEST(HttpAnswer, every_loopback_address_is_this_machine) {
  for (const char* host :
       {"localhost", "localhost:8421", "127.0.0.1", "127.0.0.1:8421", "127.0.0.2", "127.0.0.2:8421",
        "127.255.255.254", "[::1]", "[::1]:8421", "[0:0:0:0:0:0:0:1]:1"}) {
    EXPECT_EQ(status(host), 200u) << host;
    EXPECT_EQ(status(host, std::string("http://") + host), 200u) << host;
  }
}

TEST(HttpAnswer, names_and_addresses_of_others_are_not) {
  for (const char* host :
       {"", "evil.example", "evil.example:8421", "localhost.evil.example", "127.0.0.1.evil.example",
        "128.0.0.1", "10.0.0.1", "0.0.0.0", "127.0.0.1x", "127.0.0", "[::2]", "[::1", "::1", "[127.0.0.1]",
        "[]", "[", ":80", "::ffff:127.0.0.1"})
    EXPECT_EQ(status(host), 403u) << host;
}

TEST(HttpAnswer, a_page_of_another_origin_is_refused_whatever_it_calls_us) {
  EXPECT_EQ(status("127.0.0.2:8421", "http://127.0.0.1:8421"), 403u);
  EXPECT_EQ(status("127.0.0.1:8421", "http://evil.example"), 403u);
  EXPECT_EQ(status("localhost:8421", "https://localhost:8421"), 403u);
  EXPECT_EQ(status("localhost:8421", "null"), 403u);
}

TEST(HttpAnswer, beyond_loopback_the_token_decides) {
  EXPECT_EQ(status("station.lab:8421", "", "/recording", "secret"), 403u);
  EXPECT_EQ(status("station.lab:8421", "", "/recording?token=wrong", "secret"), 403u);
  EXPECT_EQ(status("station.lab:8421", "", "/recording?token=secret", "secret"), 404u);  // there is none
}

}  // namespace http_answer_test
}  // namespace palp::view
