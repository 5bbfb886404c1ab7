// The exports of the module are in GainABI, which this links.
import GainABI
