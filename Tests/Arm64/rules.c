// Prints the table of system calls that a worker may make, as compiled for this architecture.

#include "../../Sources/CSystemCalls/confine.c"

#include <stdio.h>

int main(void) {
  rules[OWN_PROCESS_RULE].k = 4242;
  printf("%u\n", FILTERED_ARCH);
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    printf("%u %u %u %u\n", rules[i].code, rules[i].jt, rules[i].jf, rules[i].k);
  }
}
