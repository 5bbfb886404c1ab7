// A program that links this target records which resources it was denied, as described in
// shortage.h. For dynamically linked programs; no calls are necessary.
