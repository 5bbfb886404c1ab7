// CropImg's screen in Objective-C: the outlet, the delegate, the corner points, the result.
#import <UIKit/UIKit.h>
#import "CropUIKit-Swift.h"
#import "CropSamples-Swift.h"

@interface CropImgController : UIViewController <CroppableImageViewDelegateProtocol,
                                                 CornerpointClientProtocol>
@property (nonatomic, weak) IBOutlet CroppableImageView *cropView;
@property (nonatomic, weak) IBOutlet UIButton *cropButton;
@property (nonatomic, strong) UIImage *result;
@end

@implementation CropImgController

- (void)viewDidLoad {
  [super viewDidLoad];
  self.cropView.cropDelegate = self;
  for (NSUInteger index = 0; index < 1; index++) {
    CornerpointView *corner = [[CornerpointView alloc] init];
    corner.cornerpointDelegate = self;
    corner.drawCornerOutlines = YES;
    corner.centerPoint = [NSValue valueWithCGPoint:(CGPoint){10, 20}];
    UIPanGestureRecognizer *dragger = corner.dragger;
    (void)dragger;
    [self.view addSubview:corner];
  }
}

- (void)show:(UIImage *)picture {
  self.cropView.imageToCrop = picture;
  self.cropView.cropRect = [NSValue valueWithCGRect:(CGRect){{10, 10}, {100, 50}}];
}

- (CGRect)shown {
  UIPanGestureRecognizer *dragger = self.cropView.dragger;
  (void)dragger;
  CGSize size = self.cropView.imageSize.CGSizeValue;
  (void)size;
  return self.cropView.imageRect.CGRectValue;
}

- (void)haveValidCropRect:(BOOL)valid {
  self.cropButton.enabled = valid;
}

- (void)cornerHasChanged:(CornerpointView *)newCornerPoint {
  CGPoint place = newCornerPoint.centerPoint.CGPointValue;
  (void)place;
}

- (IBAction)cropButtonPressed:(id)sender {
  self.result = [self.cropView croppedImage];
}

@end
