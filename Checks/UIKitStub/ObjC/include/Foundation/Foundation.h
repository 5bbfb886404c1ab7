// Other declarations that the compiler's header needs.
#pragma once
#include <ObjectiveC.h>

@class NSString;
// The names of Foundation's classes where they are Swift's.
@class _TtC10Foundation6NSData, _TtC10Foundation7NSArray, _TtC10Foundation8NSString;
#define nil ((id)0)
