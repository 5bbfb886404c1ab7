import CropImaging
import CropPixels

// Decodes the pictures that a pool of another program hands it, within the limits that it is told.
WorkerLoop.run(VipsBackend())
