import CropCore
import CropJPEG

extension LosslessMode: Codable {}

extension LosslessObstacle: Codable {}

extension MetadataPolicy: Codable {}
