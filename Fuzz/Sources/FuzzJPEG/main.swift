import FuzzDriver

Driver.run { run($0) }
