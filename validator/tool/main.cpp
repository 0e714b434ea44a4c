// The program.
#include "validator/tool/commands.hpp"

int main(int count, char** words) {
    return tracelint::run(std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count));
}
