// Re-exports the modules whose types appear in the engine's API, so that users only import
// CropImaging.
@_exported import CropFormats
