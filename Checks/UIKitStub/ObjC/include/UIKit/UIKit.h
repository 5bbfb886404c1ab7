// Stands in for what the samples' own Objective-C uses of UIKit.
#pragma once
#include <Foundation/Foundation.h>

@class NSString, NSCoder, NSBundle, UINavigationController;

@interface UIColor : NSObject
@end
@interface UIImage : NSObject
@property (readonly) CGSize size;
@end
@interface UIResponder : NSObject
@end
@interface UIView : UIResponder
@property (nonatomic) CGRect frame;
@property (nonatomic, getter=isHidden) BOOL hidden;
- (void)addSubview:(UIView *_Nonnull)view;
@end
@interface UIImageView : UIView
@property (nonatomic, strong) UIImage *_Nullable image;
@end
@interface UIControl : UIView
@property (nonatomic, getter=isEnabled) BOOL enabled;
@end
@interface UIButton : UIControl
@end
@interface UIGestureRecognizer : NSObject
@end
@interface UIPanGestureRecognizer : UIGestureRecognizer
@end
@interface UIViewController : UIResponder
@property (nonatomic, strong) UIView *_Null_unspecified view;
@property (nonatomic, readonly) UINavigationController *_Nullable navigationController;
@property (nonatomic, copy) NSString *_Nullable title;
- (void)viewDidLoad;
- (void)presentViewController:(UIViewController *_Nonnull)controller
                     animated:(BOOL)animated
                   completion:(void (^_Nullable)(void))completion;
@end
@interface UINavigationController : UIViewController
- (void)pushViewController:(UIViewController *_Nonnull)controller animated:(BOOL)animated;
@end
@interface UITableViewController : UIViewController
@end
