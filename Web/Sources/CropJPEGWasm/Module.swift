// All that the module exports is in JPEGABI; this links it.
import JPEGABI
