// Whoever cuts says which metadata stay, by a type of that module.
@_exported import CropMetadata
