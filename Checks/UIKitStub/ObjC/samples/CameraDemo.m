// CameraDemo's albums and clip screen in Objective-C.
#import <UIKit/UIKit.h>
#import "CropUIKit-Swift.h"
#import "CropSamples-Swift.h"

@interface CameraDemoController : UIViewController
@end

@implementation CameraDemoController

- (IBAction)openAlbums:(id)sender {
  AlbumViewController *albums = [[AlbumViewController alloc] init];
  albums.onPick = ^(NSData *_Nonnull photo) {
  };
  albums.onUse = ^(UIImage *_Nonnull image) {
  };
  [self.navigationController pushViewController:albums animated:YES];
}

- (void)clip:(UIImage *)picture {
  AlbumDetailsViewController *details = [AlbumDetailsViewController new];
  details.image = picture;
  details.pictureSelectedBlock = ^{
  };
  [self presentViewController:details animated:YES completion:nil];
}

- (void)openCamera {
  CameraViewController *camera = [CameraViewController new];
  camera.onUse = ^(UIImage *_Nullable image) {
  };
  camera.savesToAlbum = NO;
  [self presentViewController:camera animated:YES completion:nil];
}

- (void)pick {
  PhotoPickerController *picker = [PhotoPickerController new];
  picker.onPick = ^(NSData *_Nullable photo) {
  };
  [self presentViewController:picker animated:YES completion:nil];
}

- (void)cover:(CGRect)rect {
  PhotoClipCoverView *cover = [[PhotoClipCoverView alloc] init];
  cover.showRect = rect;
  [self.view addSubview:cover];
}

@end
