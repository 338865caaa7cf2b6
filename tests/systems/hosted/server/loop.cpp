#include "tests/systems/hosted/server/loop.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include <array>
#include <cerrno>
#include <functional>

namespace craft::chat_server {

namespace {

// Numbers of what is no connection, in epoll's events.
constexpr uint64_t kListener = UINT64_MAX, kTimer = UINT64_MAX - 1, kStopper = UINT64_MAX - 2;
constexpr uint32_t kRead = EPOLLIN | EPOLLRDHUP;
const char* const kBlank = "1\r\n \r\n";  // a chunk that changes no JSON

std::string reason() {
    return std::generic_category().message(errno);
}

}  // namespace

Loop::Loop(const ChatServerOptions& options, Service& service)
    : options_(options),
      service_(service),
      listener_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket"),
      epoll_(::epoll_create1(EPOLL_CLOEXEC), "epoll"),
      timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), "timer"),
      stopper_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "eventfd") {
    listen(options.port);
    watch(listener_.fd(), kListener, EPOLLIN, true);
    watch(timer_.fd(), kTimer, EPOLLIN, true);
    watch(stopper_.fd(), kStopper, EPOLLIN, true);
}

void Loop::listen(int port) {
    const int yes = 1;
    ::setsockopt(listener_.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const any_address = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    if (::bind(listener_.fd(), any_address, size) != 0 || ::listen(listener_.fd(), SOMAXCONN) != 0 ||
        ::getsockname(listener_.fd(), any_address, &size) != 0)
        throw Error("port " + std::to_string(port), "one that is free", reason());
    port_ = ntohs(address.sin_port);
}

void Loop::watch(int fd, uint64_t number, uint32_t events, bool is_new) {
    epoll_event event{};
    event.events = events;
    event.data.u64 = number;
    if (::epoll_ctl(epoll_.fd(), is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event) != 0)
        throw Error("epoll", "to watch", reason());
}

void Loop::stop() {
    const uint64_t one = 1;
    // Fails only where it has been called 2^64 - 1 times.
    static_cast<void>(::write(stopper_.fd(), &one, sizeof one));
}

void Loop::run() {
    try {
        serve();
        while (!connections_.empty()) close(*connections_.begin()->second);
    } catch (...) {
        connections_.clear();  // whoever waits for an answer learns it now
        listener_ = {};
        throw;
    }
    listener_ = {};
}

void Loop::serve() {
    std::array<epoll_event, 256> events{};
    for (bool continues = true; continues;) {
        const int count = ::epoll_wait(epoll_.fd(), events.data(), static_cast<int>(events.size()), -1);
        if (count < 0 && errno != EINTR) throw Error("epoll", "events", reason());
        for (int i = 0; i < count; ++i) {
            const uint64_t number = events.at(static_cast<size_t>(i)).data.u64;
            if (number == kStopper) continues = false;
            if (number == kListener) accept_all();
            if (number == kTimer) serve_due();
            // One that was closed in this turn is not there any more.
            if (const auto found = connections_.find(number); found != connections_.end())
                on_connection(*found->second, events.at(static_cast<size_t>(i)).events);
        }
        set_timer();
    }
}

void Loop::accept_all() {
    while (true) {
        const int fd = ::accept4(listener_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0 && (errno == EAGAIN || errno == ECONNABORTED || errno == EINTR))
            return;  // it is told again if there are more
        Descriptor socket(fd, "accept");
        const int yes = 1;
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        const uint64_t number = last_number_++;
        connections_[number] = std::make_unique<Connection>(std::move(socket), number);
        watch(fd, number, kRead, true);
        service_.add_connection();
    }
}

void Loop::on_connection(Connection& connection, uint32_t events) {
    const uint64_t number = connection.number();
    if ((events & EPOLLOUT) != 0) send(connection);
    if (!connections_.contains(number) || (events & ~static_cast<uint32_t>(EPOLLOUT)) == 0) return;
    if (!connection.receive()) return close(connection);
    take_requests(connection);
}

// Requests are answered one after the other, also where a client sent several at once.
void Loop::take_requests(Connection& connection) {
    const uint64_t number = connection.number();
    while (!connection.taken) {
        auto request = connection.reader.next();
        if (!request) break;
        const auto due = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                            std::chrono::duration<double, std::milli>(options_.latency_ms));
        connection.taken = service_.begin(*std::move(request));
        connection.is_due = options_.latency_ms <= 0;
        if (!connection.is_due) return wake_at(due, connection);
        send(connection);
        if (!connections_.contains(number)) return;
    }
    if (connection.taken) return;
    if (connection.reader.wants_continue()) connection.send_now("HTTP/1.1 100 Continue\r\n\r\n");
    if (connection.reader.refusal().empty()) return;
    connection.send_now("HTTP/1.1 " + connection.reader.refusal() + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    close(connection);
}

void Loop::wake_at(Clock::time_point when, Connection& connection) {
    due_.emplace(when, connection.number());
}

void Loop::set_timer() {
    if (due_.empty() || due_.top().first >= timer_set_) return;
    timer_set_ = due_.top().first;
    const auto since = timer_set_.time_since_epoch();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since);
    itimerspec at{};
    at.it_value.tv_sec = seconds.count();
    at.it_value.tv_nsec = std::chrono::nanoseconds(since - seconds).count();
    if (::timerfd_settime(timer_.fd(), TFD_TIMER_ABSTIME, &at, nullptr) != 0) throw Error("timer", "to be set", reason());
}

void Loop::serve_due() {
    uint64_t count = 0;
    static_cast<void>(::read(timer_.fd(), &count, sizeof count));  // or it would be told again; what it counts is of no use
    timer_set_ = Clock::time_point::max();
    const auto now = Clock::now();
    while (!due_.empty() && due_.top().first <= now) {
        const uint64_t number = due_.top().second;
        due_.pop();
        const auto found = connections_.find(number);
        if (found == connections_.end()) continue;  // the client is gone
        Connection& connection = *found->second;
        if (connection.is_trickling) {
            if (connection.send_now(kBlank) == Connection::Progress::all)
                wake_at(now + std::chrono::microseconds(static_cast<int64_t>(options_.trickle_ms * 1000)), connection);
            else
                close(connection);
            continue;
        }
        connection.is_due = true;
        send(connection);
        if (connections_.contains(number)) take_requests(connection);
    }
}

void Loop::send(Connection& connection) {
    if (!connection.taken || !connection.is_due) return;
    const Connection::Progress progress = connection.send_reply();
    if (progress == Connection::Progress::lost) return close(connection);
    if (const bool waits = progress == Connection::Progress::blocked; waits != connection.waits_to_write) {
        watch(connection.fd(), connection.number(), waits ? kRead | EPOLLOUT : kRead, false);
        connection.waits_to_write = waits;
    }
    if (progress == Connection::Progress::all) finish_reply(connection);
}

void Loop::finish_reply(Connection& connection) {
    switch (connection.taken->reply.ending) {
        case Reply::Ending::keep:
            service_.end(*connection.taken, true);
            connection.taken.reset();
            return;
        case Reply::Ending::close:
            service_.end(*connection.taken, true);
            connection.taken.reset();
            return close(connection);
        case Reply::Ending::hold:
            connection.is_due = false;
            return;
        case Reply::Ending::trickle:
            connection.is_due = false;
            connection.is_trickling = true;
            return wake_at(Clock::now(), connection);
    }
}

void Loop::close(Connection& connection) {
    if (connection.taken) service_.end(*connection.taken, false);
    connections_.erase(connection.number());
}

}  // namespace craft::chat_server
