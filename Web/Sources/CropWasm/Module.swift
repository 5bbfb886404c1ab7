// All that the module exports is in CropABI; this links it.
import CropABI
