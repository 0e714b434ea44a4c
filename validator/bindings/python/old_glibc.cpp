// For the wheel: the one function of glibc 2.35 that gcc's unwinder calls, made of what every glibc has. Without it,
// the library would not load on systems with glibc 2.34, such as RHEL 9. It finds the unwinding data of the code at an
// address.
#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstdint>

namespace {

struct Search {
    uintptr_t address;
    dl_find_object* found;
};

// Called for each loaded object. Returns 1 for the one that holds the address, which ends the search.
int look_into(dl_phdr_info* object, size_t, void* data) {
    const auto& search = *static_cast<const Search*>(data);
    const auto start_of = [&](const ElfW(Phdr) & part) { return object->dlpi_addr + part.p_vaddr; };
    const ElfW(Phdr)* code = nullptr;
    const ElfW(Phdr)* table = nullptr;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = object->dlpi_phdr[i];
        if (part.p_type == PT_GNU_EH_FRAME) table = &part;
        if (part.p_type == PT_LOAD && search.address - start_of(part) < part.p_memsz) code = &part;
    }
    if (code == nullptr || table == nullptr) return 0;
    *search.found = {};
    search.found->dlfo_map_start = reinterpret_cast<void*>(start_of(*code));
    search.found->dlfo_map_end = reinterpret_cast<void*>(start_of(*code) + code->p_memsz);
    search.found->dlfo_eh_frame = reinterpret_cast<void*>(start_of(*table));
    return 1;
}

}  // namespace

extern "C" __attribute__((visibility("hidden"))) int _dl_find_object(void* address, dl_find_object* found) noexcept {
    Search search{reinterpret_cast<uintptr_t>(address), found};
    return dl_iterate_phdr(look_into, &search) == 1 ? 0 : -1;
}
