// The API uses the metadata policy, a type of that module.
@_exported import CropMetadata
