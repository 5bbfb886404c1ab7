// Re-exports the modules whose types describe headers.
@_exported import CropMetadata
@_exported import CropSystem
