// What a header tells is said in the words of these modules.
@_exported import CropMetadata
@_exported import CropSystem
