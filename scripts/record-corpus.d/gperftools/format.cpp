// format MILLISECONDS: works in the C library, whose code keeps no frame pointers.
#include <cstdio>
#include <cstdlib>

#include "work.hpp"

int main(int, char** arguments) {
    const double end = processor_time() + std::atoi(arguments[1]);
    char text[64];
    for (double now = 0; now < end; now = processor_time())
        for (int i = 1; i < 100; ++i) std::snprintf(text, sizeof text, "%.20g %d", now / i, i);
}
