// A program that links this target records which resources it was denied, as described in
// shortage.h. For statically linked programs, with --wrap=NAME for each function of wrap.c; no
// calls are necessary.
