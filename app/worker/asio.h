// Boost.Asio as this room uses it: one context, run by one thread.
#pragma once

// GCC's thread sanitizer knows no fences. With one thread there is nothing to fence.
#if defined(__SANITIZE_THREAD__)
#define BOOST_ASIO_DISABLE_FENCED_BLOCK
#endif

#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

namespace lab::worker {

namespace asio = boost::asio;

}  // namespace lab::worker
