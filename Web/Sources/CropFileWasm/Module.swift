// The exports of the module are in FileABI, which this links.
import FileABI
