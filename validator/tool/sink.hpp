// Destinations of output.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace tracelint {

class Sink {
  public:
    virtual ~Sink() = default;
    virtual void write(std::string_view text) = 0;
    // Writes out what is buffered.
    virtual void flush() {}
    // The errno of the first failed write, or 0. After a failure, output is dropped.
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
    // Creates or truncates the file; sets failure() if that fails.
    explicit FileSink(const std::string& path);
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    ~FileSink() override { close(); }

    void write(std::string_view text) override;
    void flush() override;
    int failure() const override { return failure_; }
    // Whether both write to the same regular file.
    bool is_same_file(const FileSink& other) const;
    // Flushes and closes. Some file systems report a full disk only here.
    void close();

  private:
    void fail();

    std::FILE* file_;
    int failure_ = 0;
};

}  // namespace tracelint
