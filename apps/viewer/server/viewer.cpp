#include "viewer.hpp"

#include <algorithm>

#include "palp/base/clock.hpp"

namespace palp::view {

namespace beast = boost::beast;
namespace websocket = beast::websocket;

constexpr size_t most_texts = 16;
constexpr long most_samples = 2000;  ///< in one message; older ones are left out

Viewer::Viewer(beast::tcp_stream stream, Hub& hub)
    : socket_(std::move(stream)),
      hub_(hub),
      allowance_(2 * hub.settings.messages_per_s),
      allowance_at_us_(now_us()) {}

void Viewer::accept(const beast::http::request<beast::http::empty_body>& request) {
  beast::get_lowest_layer(socket_).expires_never();
  // Pings keep the connection alive; a page that answers none for this long is gone.
  websocket::stream_base::timeout timeout{std::chrono::seconds(10), std::chrono::seconds(30), true};
  socket_.set_option(timeout);
  socket_.read_message_max(hub_.settings.largest_message);
  beast::get_lowest_layer(socket_).socket().set_option(boost::asio::ip::tcp::no_delay(true));
  // A small buffer: what a slow page has not read is old, and is better not sent at all.
  beast::get_lowest_layer(socket_).socket().set_option(boost::asio::socket_base::send_buffer_size(256 << 10));
  socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
    if (error) return;
    self->joined_ = true;
    self->hub_.viewers.insert(self);
    self->hub_.count_audience();
    if (!self->hub_.trouble.empty()) self->tell(notice("trouble", self->hub_.trouble));
    self->read();
    self->offer();
  });
}

void Viewer::read() {
  socket_.async_read(incoming_, [self = shared_from_this()](beast::error_code error, size_t) {
    if (error) {
      if (error == websocket::error::message_too_big) ++self->hub_.figures.dropped;
      return self->leave();
    }
    if (!self->within_rate()) return self->drop();
    const auto data = self->incoming_.cdata();
    if (self->socket_.got_text())
      self->obey({static_cast<const char*>(data.data()), data.size()});
    else
      ++self->hub_.figures.refused;
    self->incoming_.consume(self->incoming_.size());
    self->read();
  });
}

/// A bucket that fills at the allowed rate and holds two seconds of it.
bool Viewer::within_rate() {
  const double now = now_us(), rate = hub_.settings.messages_per_s;
  allowance_ = std::min(2 * rate, allowance_ + 1e-6 * (now - allowance_at_us_) * rate);
  allowance_at_us_ = now;
  return --allowance_ >= 0;
}

void Viewer::obey(std::string_view text) {
  const auto request = parse_request(text);
  if (!request || !hub_.simulation) {
    ++hub_.figures.refused;
    if (!warned_) tell(notice("refused", "A message was not understood."));
    warned_ = true;
    return;
  }
  switch (request->kind) {
    case Request::Kind::command:
      if (!hub_.simulation->command(request->command)) tell(notice("refused", "The simulation is busy."));
      break;
    case Request::Kind::hold:
      hold(*request);
      break;
    case Request::Kind::let_go:
      if (request->device < Simulation::devices && hub_.holder[request->device] == this) {
        hub_.holder[request->device] = nullptr;
        hub_.simulation->visitor(request->device).let_go();
      }
      break;
    case Request::Kind::delassus:
      delassus_ = request->on;
      hub_.count_audience();
      break;
    case Request::Kind::colour:
      colour_ = request->colour;
      hub_.count_audience();
      if (hub_.colour(colour_)) offer();  // otherwise the simulation makes a frame that does
      break;
    case Request::Kind::keyframe:
      seen_.assign(seen_.size(), 0);
      offer();
      break;
  }
}

void Viewer::hold(const Request& request) {
  if (request.device >= Simulation::devices) return;
  const auto number = static_cast<size_t>(request.device);
  if (hub_.scene && number < hub_.scene->device_kinds.size() && hub_.scene->device_kinds[number] != "page") {
    if (!warned_) tell(notice("held", "A device moves this hand: " + hub_.scene->device_kinds[number] + "."));
    warned_ = true;
    return;
  }
  const Viewer*& holder = hub_.holder[request.device];
  if (holder && holder != this) {
    if (!warned_) tell(notice("held", "Another visitor holds this."));
    warned_ = true;
    return;
  }
  if (hub_.simulation->visitor(request.device).hold(request.position, request.orientation, request.buttons))
    holder = this;
}

void Viewer::tell(std::string text) {
  if (texts_.size() >= most_texts) texts_.pop_front();
  texts_.push_back(std::move(text));
  if (!writing_) send_next();
}

void Viewer::offer() {
  if (writing_) {
    ++hub_.figures.thinned;
    frame_waits_ = true;
    if (now_us() - writing_since_us_ > 1e6 * hub_.settings.patience_s) drop();
    return;
  }
  frame_waits_ = true;
  send_next();
}

/// Scene, then texts, then the newest frame; one write at a time.
void Viewer::send_next() {
  bool text = false;
  if (hub_.scene && generation_ != hub_.scene->generation) {
    outgoing_ = encode_scene(*hub_.scene);
    generation_ = hub_.scene->generation;
    revision_ = hub_.scene->revision;
    seen_.assign(hub_.scene->skins.size(), 0);
  } else if (!texts_.empty()) {
    text_out_ = std::move(texts_.front());
    texts_.pop_front();
    text = true;
  } else if (hub_.scene && revision_ != hub_.scene->revision) {
    revision_ = hub_.scene->revision;
    text_out_ = encode_sliders(*hub_.scene);
    text = true;
  } else if (!frame_waits_ || !compose()) {
    return;
  }
  writing_ = true;
  writing_since_us_ = now_us();
  socket_.text(text);
  const auto done = [self = shared_from_this()](beast::error_code error, size_t size) {
    self->writing_ = false;
    self->hub_.figures.bytes += static_cast<long>(size);
    if (error) return self->leave();
    self->send_next();
  };
  if (text)
    socket_.async_write(boost::asio::buffer(text_out_), done);
  else
    socket_.async_write(boost::asio::buffer(outgoing_), done);
}

/// The newest frame with the bodies that the page has not seen in this version. False: it is of another
/// scene.
bool Viewer::compose() {
  const EncodedFrame& frame = hub_.frame;
  frame_waits_ = false;
  if (generation_ == 0 || frame.generation != generation_ || frame.bodies.size() != seen_.size())
    return false;
  outgoing_ = frame.common;
  for (size_t b = 0; b < seen_.size(); ++b)
    if (seen_[b] != frame.bodies[b].version) {
      seen_[b] = frame.bodies[b].version;
      put_bytes(outgoing_, frame.bodies[b].section.data(), frame.bodies[b].section.size());
    }
  if (delassus_) put_bytes(outgoing_, frame.delassus.data(), frame.delassus.size());
  const Bytes& colours = frame.colours[static_cast<size_t>(colour_)];
  put_bytes(outgoing_, colours.data(), colours.size());
  const long oldest = hub_.sample_end - static_cast<long>(hub_.samples.size());
  next_sample_ = std::max({next_sample_, oldest, hub_.sample_end - most_samples});
  if (next_sample_ < hub_.sample_end) {
    const std::vector<ViewSample> part(hub_.samples.begin() + (next_sample_ - oldest), hub_.samples.end());
    put_samples(part, outgoing_);
    next_sample_ = hub_.sample_end;
  }
  ++hub_.figures.frames;
  return true;
}

void Viewer::drop() {
  ++hub_.figures.dropped;
  close();
}

/// Without a closing handshake: who is sent away may not listen.
void Viewer::close() {
  beast::error_code ignored;
  beast::get_lowest_layer(socket_).socket().shutdown(boost::asio::ip::tcp::socket::shutdown_both, ignored);
  beast::get_lowest_layer(socket_).close();
  leave();
}

void Viewer::leave() {
  if (!joined_) return;
  joined_ = false;
  for (int d = 0; d < Simulation::devices; ++d)
    if (hub_.holder[d] == this) {
      hub_.holder[d] = nullptr;
      hub_.simulation->visitor(d).let_go();
    }
  hub_.viewers.erase(shared_from_this());
  hub_.count_audience();
}

}  // namespace palp::view
