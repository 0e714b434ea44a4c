// Where output goes.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace tracelint {

class Sink {
  public:
    virtual ~Sink() = default;
    virtual void write(std::string_view text) = 0;
    // Passes on what is buffered, so that a reader at the other end sees it now.
    virtual void flush() {}
    // The errno of the first write that failed, 0 while all went well. What follows is dropped.
    virtual int failure() const { return 0; }
};

class StringSink final : public Sink {
  public:
    void write(std::string_view more) override { text += more; }
    std::string text;
};

// A file, or standard output, which stays open.
class FileSink final : public Sink {
  public:
    FileSink() : file_(stdout) {}
    // Creates or empties the file; failure() says whether that worked.
    explicit FileSink(const std::string& path);
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    ~FileSink() override { close(); }

    void write(std::string_view text) override;
    void flush() override;
    int failure() const override { return failure_; }
    // Whether both write to one regular file.
    bool is_same_file(const FileSink& other) const;
    // Flushes; some file systems report a full disk only here.
    void close();

  private:
    void fail();

    std::FILE* file_;
    int failure_ = 0;
};

}  // namespace tracelint
