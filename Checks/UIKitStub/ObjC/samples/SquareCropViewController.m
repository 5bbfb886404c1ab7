// The square cropper presented alone, in Objective-C.
#import <UIKit/UIKit.h>
#import "CropUIKit-Swift.h"
#import "CropSamples-Swift.h"

@interface SquareController : UIViewController
@property (nonatomic, strong) IBOutlet UIImageView *imageView;
@end

@implementation SquareController

- (IBAction)crop:(id)sender {
  SquareCropViewController *cropper = [[SquareCropViewController alloc] init];
  cropper.imageToCrop = self.imageView.image;
  __weak SquareController *weakSelf = self;
  cropper.cropCompletionHandler = ^(UIImage *_Nonnull square) {
    weakSelf.imageView.image = square;
  };
  cropper.cancelCompletionHandler = ^{
    weakSelf.imageView.image = nil;
  };
  [self presentViewController:cropper animated:YES completion:nil];
  [cropper rotate];
  for (NSUInteger index = 0; index < cropper.blockers.count; index++) {
    UIView *blocker = cropper.blockers[index];
    blocker.hidden = NO;
  }
}

@end
