import CropImaging

WorkerLoop.run(ProbeBackend())
