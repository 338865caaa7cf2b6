#include "tests/systems/hosted/server/http_request.h"

#include <gtest/gtest.h>

namespace craft::chat_server {
namespace {

const std::string kPost =
    "POST /v1/chat/completions?x=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nAuthorization:  Bearer k \r\n\r\nbody";

TEST(HttpRequest, ComesByteByByte) {
    RequestReader reader;
    for (size_t i = 0; i + 1 < kPost.size(); ++i) {
        reader.feed(kPost.substr(i, 1));
        ASSERT_FALSE(reader.next()) << i;
    }
    reader.feed("y");
    const auto request = reader.next();
    ASSERT_TRUE(request);
    EXPECT_EQ(request->method, "POST");
    EXPECT_EQ(request->target, "/v1/chat/completions?x=1");
    EXPECT_EQ(request->path(), "/v1/chat/completions");
    EXPECT_EQ(request->header("authorization"), "Bearer k");
    EXPECT_EQ(request->header("x"), "");
    EXPECT_EQ(request->body, "body");
    EXPECT_TRUE(request->keep_alive);
    EXPECT_FALSE(request->is_to_proxy());
    EXPECT_FALSE(reader.next());
    EXPECT_EQ(reader.refusal(), "");
}

TEST(HttpRequest, SeveralAtOnce) {
    RequestReader reader;
    reader.feed(kPost + "GET /v1/models HTTP/1.1\r\nConnection: close\r\n\r\n" + kPost);
    EXPECT_EQ(reader.next()->body, "body");
    const auto second = reader.next();
    EXPECT_EQ(second->method, "GET");
    EXPECT_EQ(second->body, "");
    EXPECT_FALSE(second->keep_alive);
    EXPECT_EQ(reader.next()->body, "body");
    EXPECT_FALSE(reader.next());
}

TEST(HttpRequest, ToAProxy) {
    RequestReader reader;
    reader.feed("GET http://host:8/v1/models?at=http://x/ HTTP/1.1\r\n\r\nGET http://host HTTP/1.0\r\n\r\n");
    const auto request = reader.next();
    EXPECT_TRUE(request->is_to_proxy());
    EXPECT_EQ(request->path(), "/v1/models");
    const auto bare = reader.next();
    EXPECT_EQ(bare->path(), "/");
    EXPECT_FALSE(bare->keep_alive);
}

TEST(HttpRequest, WaitsForContinue) {
    RequestReader reader;
    reader.feed("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    EXPECT_TRUE(reader.wants_continue());
    EXPECT_FALSE(reader.wants_continue());
    reader.feed("ab");
    EXPECT_EQ(reader.next()->body, "ab");
}

TEST(HttpRequest, RefusesWhatItCannotRead) {
    const auto refusal = [](const std::string& bytes) {
        RequestReader reader;
        reader.feed(bytes);
        EXPECT_FALSE(reader.next());
        return reader.refusal();
    };
    EXPECT_EQ(refusal("nonsense\r\n\r\n"), "400 Bad Request");
    EXPECT_EQ(refusal("\r\n\r\n"), "400 Bad Request");
    EXPECT_EQ(refusal("POST / HTTP/2\r\n\r\n"), "400 Bad Request");
    EXPECT_EQ(refusal("POST / HTTP/1.1\r\nno colon\r\n\r\n"), "400 Bad Request");
    EXPECT_EQ(refusal("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), "400 Bad Request");
    EXPECT_EQ(refusal("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n"), "413 Content Too Large");
    EXPECT_EQ(refusal("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), "411 Length Required");
    EXPECT_EQ(refusal("POST / HTTP/1.1\r\nX: " + std::string(70000, 'x')), "431 Request Header Fields Too Large");
}

}  // namespace
}  // namespace craft::chat_server
