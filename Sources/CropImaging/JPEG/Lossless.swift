import CropCore

extension LosslessObstacle: Codable {}
