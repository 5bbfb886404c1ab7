// The exports of the module are in ExtraABI, which this links.
import ExtraABI
