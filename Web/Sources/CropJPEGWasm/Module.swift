// The exports of the module are in JPEGABI, which this links.
import JPEGABI
