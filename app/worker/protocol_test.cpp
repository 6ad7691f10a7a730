#include <cmath>
#include <new>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/problem.h"
#include "worker/protocol.h"

namespace lab::worker {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// What a server with a few methods answers to `input`, a JSON value a line.
std::vector<json> answers(const std::string& input) {
    const std::map<std::string, Method> methods{
        {"echo", [](const json& parameters, const Progress&) { return parameters; }},
        {"count",
         [](const json& parameters, const Progress& progress) {
             for (int k = 1; k <= parameters.at("n").get<int>(); ++k)
                 progress(k);
             return "counted";
         }},
        {"threads",
         [](const json&, const Progress& progress) {
             std::vector<std::thread> threads;
             threads.reserve(4);
             for (int i = 0; i < 4; ++i)
                 threads.emplace_back([&] {
                     for (int k = 0; k < 100; ++k)
                         progress(std::string(200, 'x'));
                 });
             for (std::thread& thread : threads)
                 thread.join();
             return json();
         }},
        {"problem",
         [](const json&, const Progress&) -> json {
             throw Problem("what", "why", "hint", "where", Exit::no_device);
         }},
        {"memory", [](const json&, const Progress&) -> json { throw std::bad_alloc(); }},
        {"error", [](const json&, const Progress&) -> json { throw std::runtime_error("boom"); }},
        {"anything", [](const json&, const Progress&) -> json { throw 3; }},
        {"bytes", [](const json&, const Progress&) { return "a\xff\xfe z\xc3"; }},
        {"numbers", [](const json&, const Progress&) {
             return json{NAN, INFINITY, 0.1};
         }}};
    std::istringstream in(input);
    std::ostringstream out;
    serve(in, out, methods);

    std::vector<json> read;
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);)
        read.push_back(json::parse(line));  // throws unless each line is valid JSON in UTF-8
    return read;
}

json only_answer(const std::string& input) {
    const std::vector<json> all = answers(input);
    EXPECT_EQ(all.size(), 1U) << input;
    return all.empty() ? json() : all[0];
}

Problem problem_of(const json& answer, std::uint64_t id) {
    EXPECT_EQ(answer.at("id"), id);
    return answer.at("problem").get<Problem>();
}

TEST(Protocol, ARequestSurvivesItsLine) {
    const Request request{7, "step", {{"text", "two\nlines \u00e4"}, {"n", 1}}};
    const std::string line = line_of(request);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const Request back = parse_request(line);
    EXPECT_EQ(back.id, 7U);
    EXPECT_EQ(back.method, "step");
    EXPECT_EQ(back.parameters, request.parameters);
}

TEST(Protocol, ParametersMayBeLeftOut) {
    EXPECT_EQ(parse_request(R"({"id":1,"method":"devices"})").parameters, json::object());
}

TEST(Protocol, AReplyIsFoundBehindWhatADriverPrinted) {
    EXPECT_EQ((*parse_reply(R"({"id":3,"result":1})"))["result"], 1);
    EXPECT_EQ((*parse_reply(R"(building... {"id":3,"result":1})"))["id"], 3);
    for (const char* none : {"", "text", "{}", "[1]", R"({"id":"3"})", R"({"id":-1})", R"({"id":3)",
                             R"({"id":3} text)", R"({"result":{"id":3}})"})
        EXPECT_FALSE(parse_reply(none)) << none;
    EXPECT_FALSE(parse_reply("{\"id\":1,\"result\":" + std::string(100'000, '[')));
}

TEST(Serve, AnswersInOrder) {
    const auto all = answers(
        "{\"id\":1,\"method\":\"echo\",\"parameters\":{\"a\":[1,null]}}\r\n"
        "\n  \n"
        "{\"id\":2,\"method\":\"count\",\"parameters\":{\"n\":2}}");  // no end of line
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0], (json{{"id", 1}, {"result", {{"a", {1, nullptr}}}}}));
    EXPECT_EQ(all[1], (json{{"id", 2}, {"progress", 1}}));
    EXPECT_EQ(all[2], (json{{"id", 2}, {"progress", 2}}));
    EXPECT_EQ(all[3], (json{{"id", 2}, {"result", "counted"}}));
}

TEST(Serve, NothingIsAskedNothingIsAnswered) {
    EXPECT_TRUE(answers("").empty());
    EXPECT_TRUE(answers("\n\n\r\n").empty());
}

TEST(Serve, WhatAMethodThrowsBecomesAProblem) {
    const Problem problem = problem_of(only_answer(R"({"id":4,"method":"problem"})"), 4);
    EXPECT_EQ(problem.text(), Problem("what", "why", "hint", "where").text());
    EXPECT_EQ(problem.exit, Exit::no_device);
    EXPECT_THAT(problem_of(only_answer(R"({"id":4,"method":"memory"})"), 4).text(),
                HasSubstr("not enough memory for 'memory'"));
    EXPECT_EQ(problem_of(only_answer(R"({"id":4,"method":"error"})"), 4).why, "boom");
    problem_of(only_answer(R"({"id":4,"method":"anything"})"), 4);
    // A parameter of the wrong type, and one that is missing: the JSON library's own exceptions.
    problem_of(only_answer(R"({"id":4,"method":"count","parameters":{"n":"x"}})"), 4);
    problem_of(only_answer(R"({"id":4,"method":"count"})"), 4);
}

TEST(Serve, AnUnknownMethodNamesTheKnownOnes) {
    const Problem problem = problem_of(only_answer(R"({"id":4,"method":"ecko"})"), 4);
    EXPECT_THAT(problem.what_happened, HasSubstr("'ecko'"));
    EXPECT_THAT(problem.hint, HasSubstr("count, echo"));
}

TEST(Serve, ALineThatIsNoRequestIsAnsweredUnderItsIdWhereItHasOne) {
    for (const char* line : {R"({"id":7})", R"({"id": 7, "method": 3})", R"({"method":"","id":7})"})
        problem_of(only_answer(line), 7);
}

TEST(Serve, AnyBytesAreAnswered) {
    const std::string deep(200'000, '[');
    const std::vector<std::string> broken{"text",
                                          "{",
                                          "[]",
                                          "null",
                                          "\"",
                                          "{}",
                                          "\xff\xfe",
                                          std::string("\0\0", 2),
                                          deep,
                                          "{\"id\":" + deep,
                                          R"({"id":"7","method":"echo"})",
                                          R"({"id":-7,"method":"echo"})",
                                          R"({"id":7.5,"method":"echo"})",
                                          R"({"id":99999999999999999999,"method":"echo"})",
                                          R"({"id":1e999,"method":"echo"})",
                                          R"({"method":"echo"})"};
    for (const std::string& line : broken) {
        const auto all = answers(line + "\n{\"id\":8,\"method\":\"echo\",\"parameters\":1}");
        ASSERT_EQ(all.size(), 2U) << line;
        EXPECT_FALSE(problem_of(all[0], 0).hint.empty());
        EXPECT_EQ(all[1], (json{{"id", 8}, {"result", 1}})) << line;
    }
}

TEST(Serve, ABrokenRequestIsAnsweredUnderItsIdWhereItHasOne) {
    for (const std::string& line :
         {std::string(R"({"id":7,"method":3})"), std::string(R"({"id":7,"method":""})"),
          std::string(R"({"method":null,"id":7})"), std::string(R"({"id":7)"),
          R"({"id":7,"method":"echo","parameters":)" + std::string(100'000, '{'),
          std::string("{\"id\":7,\"method\":\"\xff\"}")})
        problem_of(only_answer(line), 7);
}

TEST(Serve, RepliesAreAlwaysValidJson) {
    EXPECT_EQ(only_answer(R"({"id":1,"method":"bytes"})")["result"], "a\uFFFD\uFFFD z\uFFFD");
    EXPECT_EQ(only_answer(R"({"id":1,"method":"numbers"})")["result"],
              (json{nullptr, nullptr, 0.1}));
    EXPECT_EQ(only_answer(R"({"id":18446744073709551615,"method":"echo"})")["id"], UINT64_MAX);
}

TEST(Serve, ProgressFromManyThreadsKeepsLinesWhole) {
    EXPECT_EQ(answers(R"({"id":1,"method":"threads"})").size(), 401U);
}

TEST(Serve, EndsWhenNobodyTakesItsAnswers) {
    std::istringstream in("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n");
    std::ostringstream out;
    out.setstate(std::ios::badbit);
    serve(in, out, {});
    EXPECT_EQ(in.tellg(), 9);  // after the first
}

}  // namespace
}  // namespace lab::worker
