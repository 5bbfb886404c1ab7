// A program that links this target notes what it is refused, as shortage.h says. Nothing needs to be
// called. For programs that are linked statically, with --wrap=NAME for each function of wrap.c.
