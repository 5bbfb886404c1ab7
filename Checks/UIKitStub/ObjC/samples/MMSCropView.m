// MMSCropView's screen in Objective-C: an image view that crops, and a picture's own crop.
#import <UIKit/UIKit.h>
#import "CropUIKit-Swift.h"
#import "CropSamples-Swift.h"

@interface MMSController : UIViewController
@property (nonatomic, weak) IBOutlet MMSCropImageView *imageView;
@property (nonatomic, weak) IBOutlet MMSCropView *otherView;
@property (nonatomic, weak) IBOutlet UIImageView *croppedView;
@end

@implementation MMSController

- (IBAction)crop:(id)sender {
  self.croppedView.image = [self.imageView crop];
  self.otherView.usesArticleLook = YES;
  self.croppedView.image = [self.otherView crop];
}

- (UIImage *)part:(CGRect)rect of:(UIImage *)picture {
  UIImage *part = [picture cropRectangle:rect inFrame:self.imageView.frame.size];
  return part ? [part scaleBitmapToSize:(CGSize){100, 100}] : nil;
}

- (CGSize)fit:(CGSize)size {
  MMSCropImageView *view = [[MMSCropImageView alloc] initWithImage:nil highlightedImage:nil];
  view.image = nil;
  return [UIImage scaleSize:size toSize:(CGSize){100, 100}];
}

- (CGPoint)firstTouch:(DragCropRectRecognizer *)recognizer {
  return recognizer.origin;
}

@end
