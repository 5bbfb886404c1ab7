// Stands in for what the Objective-C header of CropUIKit needs of Apple's SDK: names and signatures only.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NS_RETURNS_INNER_POINTER
// The type of Swift's #selector.
typedef struct Selector { const void *_Nullable name; } Selector;
typedef bool BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
typedef long NSInteger;
typedef unsigned long NSUInteger;

@protocol NSObject
- (BOOL)isEqual:(id _Nullable)object;
@property (readonly) NSUInteger hash;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype _Nonnull)alloc;
- (instancetype _Nonnull)init;
+ (instancetype _Nonnull)new;
@end

typedef double CGFloat;
typedef struct CGPoint { CGFloat x, y; } CGPoint;
typedef struct CGSize { CGFloat width, height; } CGSize;
typedef struct CGRect { CGPoint origin; CGSize size; } CGRect;

@interface NSValue : NSObject
+ (instancetype _Nonnull)valueWithCGPoint:(CGPoint)point
    __attribute__((swift_name("init(cgPoint:)")));
+ (instancetype _Nonnull)valueWithCGSize:(CGSize)size __attribute__((swift_name("init(cgSize:)")));
+ (instancetype _Nonnull)valueWithCGRect:(CGRect)rect __attribute__((swift_name("init(cgRect:)")));
@property (readonly) CGPoint CGPointValue __attribute__((swift_name("cgPointValue")));
@property (readonly) CGSize CGSizeValue __attribute__((swift_name("cgSizeValue")));
@property (readonly) CGRect CGRectValue __attribute__((swift_name("cgRectValue")));
@end
