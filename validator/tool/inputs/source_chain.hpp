// A file, and the sources on top of it that keep its bytes, count them or end with a signal.
#pragma once

#include <memory>
#include <vector>

#include "validator/input/kept_input.hpp"

namespace tracelint {

class SourceChain {
  public:
    explicit SourceChain(std::unique_ptr<Source> file) { links_.push_back(std::move(file)); }

    // Puts a source of this class on top; `with` are its other arguments, after the source below.
    template <class Link, class... With>
    Link& add(With&... with) {
        auto link = std::make_unique<Link>(top(), with...);
        Link& added = *link;
        links_.push_back(std::move(link));
        return added;
    }

    Source& file() { return *links_.front(); }
    Source& top() { return *links_.back(); }

  private:
    std::vector<std::unique_ptr<Source>> links_;
};

}  // namespace tracelint
