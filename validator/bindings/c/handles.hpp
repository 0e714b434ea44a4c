// Objects that callers hold by handles.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace tracelint::c {

// A handle is a number in the shape of a pointer. No number is used twice, and numbers are odd, so a handle that was
// freed, made up, or belongs to another kind of object is noticed, and nothing is read through it.
inline uintptr_t next_handle() {
    static std::mutex mutex;
    static uintptr_t last = 1;
    const std::scoped_lock lock(mutex);
    return last += 2;
}

// The objects of one kind. Any thread may call any function. An object that is removed lives until the last one who
// found it has let go.
template <class Handle, class Object>
class Handles {
  public:
    Handle* add(std::unique_ptr<Object> object) {
        const uintptr_t number = next_handle();
        const std::unique_lock lock(mutex_);
        objects_.emplace(number, std::move(object));
        return reinterpret_cast<Handle*>(number);  // NOLINT(performance-no-int-to-ptr): it never points
    }

    // Null if there is no such object.
    std::shared_ptr<Object> find(const Handle* handle) const {
        const std::shared_lock lock(mutex_);
        const auto found = objects_.find(reinterpret_cast<uintptr_t>(handle));
        return found == objects_.end() ? nullptr : found->second;
    }

    // Null if there is no such object.
    std::shared_ptr<Object> remove(const Handle* handle) {
        const std::unique_lock lock(mutex_);
        const auto found = objects_.find(reinterpret_cast<uintptr_t>(handle));
        if (found == objects_.end()) return nullptr;
        std::shared_ptr<Object> object = std::move(found->second);
        objects_.erase(found);
        return object;
    }

  private:
    mutable std::shared_mutex mutex_;
    std::unordered_map<uintptr_t, std::shared_ptr<Object>> objects_;
};

}  // namespace tracelint::c
