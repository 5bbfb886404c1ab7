// So that `import CropUIKit` is enough for `.fixed(.square)` and recipes.
@_exported import CropCore
