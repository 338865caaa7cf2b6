#include "systems/hosted/url.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(Url, LoopbackIsAnAddressAndNoNameThatLooksLikeOne) {
    for (const char* own : {"http://127.0.0.1:8000/v1", "http://localhost/v1", "https://[::1]:1/", "http://127.9.9.9"})
        EXPECT_TRUE(Url::parse(own)->is_loopback()) << own;
    for (const char* other : {"http://127.0.0.1.evil.example/", "http://localhost.evil.example", "http://10.0.0.1",
                              "http://localhost@evil.example/"})
        EXPECT_FALSE(Url::parse(other)->is_loopback()) << other;
}

TEST(Url, OnlyHttpIsOne) {
    for (const char* wrong : {"", "ftp://a", "file:///etc/passwd", "a b", "/v1"}) EXPECT_FALSE(Url::parse(wrong)) << wrong;
}

TEST(Url, SameHostMeansSchemeHostAndPort) {
    const Url one = *Url::parse("https://A.example/v1");
    EXPECT_TRUE(one.is_same_host(*Url::parse("https://a.example:443/other")));
    EXPECT_FALSE(one.is_same_host(*Url::parse("http://a.example/v1")));
    EXPECT_FALSE(one.is_same_host(*Url::parse("https://a.example:444/v1")));
    EXPECT_FALSE(one.is_same_host(*Url::parse("https://b.example/v1")));
}

TEST(Url, PathsGoBeforeTheQuery) {
    EXPECT_EQ(url_below("http://a/v1/", "/chat"), "http://a/v1/chat");
    EXPECT_EQ(url_below("http://a/v1?api-version=2", "/chat"), "http://a/v1/chat?api-version=2");
}

}  // namespace
}  // namespace craft
