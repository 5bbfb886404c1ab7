// The exports of the module are in CropABI, which this links.
import CropABI
