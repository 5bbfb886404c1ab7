// The crop screen in Objective-C: an image or a file, and the result.
#import <UIKit/UIKit.h>
#import "CropUIKit-Swift.h"

@interface ScreenController : UIViewController
@property (nonatomic, strong) IBOutlet UIImageView *imageView;
@end

@implementation ScreenController

- (void)crop:(UIImage *)picture {
  CropViewController *screen = [[CropViewController alloc] initWithImage:picture];
  screen.sourceView = self.imageView;
  screen.title = self.title;
  __weak ScreenController *weakSelf = self;
  screen.completionHandler = ^(UIImage *_Nullable image, NSData *_Nullable file) {
    weakSelf.imageView.image = image;
  };
  [self presentViewController:screen animated:YES completion:nil];
}

- (void)cropFile:(NSData *)file {
  CropViewController *screen = [[CropViewController alloc] initWithData:file];
  screen.closesItself = NO;
  [self presentViewController:screen animated:YES completion:nil];
}

@end
