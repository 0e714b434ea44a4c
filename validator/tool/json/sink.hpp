// Destinations of output.
#pragma once

#include <sys/stat.h>

#include <cstdio>
#include <optional>
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

// Whether a file is on the disk, and not only in the system's memory, before it gets its name.
enum class Durable : bool { no, yes };

class StringSink final : public Sink {
  public:
    void write(std::string_view more) override { text += more; }
    std::string text;
};

// Standard output, which stays open, or a file. A file gets a temporary name in its folder and takes the place of the
// one that was there when close() finds that all of it was written: until then no part is visible, and the earlier file
// stays. Links are followed, permissions and owner kept. What cannot be replaced is written in place: devices, pipes,
// files that a process has open (/dev/stdout), that have several names, whose owner cannot be kept, or in a folder that
// cannot be written to. A durable file is not written if its owner or folder is the reason, and where it has several
// names, it takes the place of one.
class FileSink final : public Sink {
  public:
    FileSink();
    // Sets failure() if the file cannot be created or written to. An existing one is not changed before write().
    explicit FileSink(const std::string& path, Durable durable = Durable::no);
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    // Without a call of close(), removes the temporary file.
    ~FileSink() override { discard(); }

    void write(std::string_view text) override;
    void flush() override;
    int failure() const override { return failure_; }
    // Whether both write to the same regular file.
    bool is_same_file(const FileSink& other) const;
    // Whether the file gets its name when it is whole. Not for pipes, devices, and files that may not be replaced;
    // before close().
    bool replaces_file() const { return !temporary_.empty(); }
    // Flushes, closes, and gives the file its name. Some file systems report a full disk only here.
    void close();
    // Ends the sink without putting the file in place.
    void discard();

  private:
    // A regular file. One that does not exist yet is known by its folder and its name.
    struct Identity {
        dev_t device = 0;
        ino_t inode = 0;
        std::string name{};
        bool operator==(const Identity&) const = default;
    };

    void identify(const struct stat* existing);
    void create_temporary(const struct stat* existing);
    void open_in_place();
    void start();
    void write_out();
    void put_in_place();
    void fail();

    std::FILE* file_ = nullptr;
    std::string path_{};       // the file, with links followed; empty: standard output
    std::string temporary_{};  // its name for now; empty: it is written in place
    std::optional<Identity> identity_{};
    Durable durable_ = Durable::no;
    bool is_to_be_emptied_ = false;  // before the first write
    int failure_ = 0;
};

// Removes what a process that died while it wrote the file has left next to it.
void remove_temporaries(const std::string& path, pid_t writer);

}  // namespace tracelint
