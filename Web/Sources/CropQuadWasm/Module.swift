// The exports of the module are in QuadABI, which this links.
import QuadABI
