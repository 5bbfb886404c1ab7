// What the engine's own declarations speak of comes with it: who imports CropImaging need not know in
// which module below it a type lies.
@_exported import CropFormats
