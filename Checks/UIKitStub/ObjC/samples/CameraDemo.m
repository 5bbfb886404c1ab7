// CameraDemo's albums and clip screen in Objective-C.
#import <UIKit/UIKit.h>
#import "CropUIKit-Swift.h"

@interface CameraDemoController : UIViewController
@end

@implementation CameraDemoController

- (IBAction)openAlbums:(id)sender {
  AlbumViewController *albums = [[AlbumViewController alloc] init];
  [self.navigationController pushViewController:albums animated:YES];
}

- (void)clip:(UIImage *)picture {
  AlbumDetailsViewController *details = [AlbumDetailsViewController new];
  details.image = picture;
  details.pictureSelectedBlock = ^{
  };
  [self presentViewController:details animated:YES completion:nil];
}

- (void)cover:(CGRect)rect {
  PhotoClipCoverView *cover = [[PhotoClipCoverView alloc] init];
  cover.showRect = rect;
  [self.view addSubview:cover];
}

@end
