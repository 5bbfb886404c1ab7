// Other declarations that the compiler's header needs.
#pragma once
#include <ObjectiveC.h>

@class NSString, NSError;
// Foundation's classes have these names where they are Swift's.
@class _TtC10Foundation6NSData, _TtC10Foundation8NSString, _TtC10Foundation12NSDictionary,
    _TtC10Foundation11NSIndexPath;
@compatibility_alias NSData _TtC10Foundation6NSData;
@interface _TtC10Foundation7NSArray : NSObject
@property (readonly) NSUInteger count;
- (id _Nonnull)objectAtIndexedSubscript:(NSUInteger)index;
@end
@compatibility_alias NSArray _TtC10Foundation7NSArray;
#define nil ((id)0)
