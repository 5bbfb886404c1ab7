"""What a ray meets in the harbour."""

NOTHING = 0
STONE = 1
TOWER = 2
IRON = 3
LANTERN = 4
RED_PAINT = 5
ROCK = 6
SAIL = 7
HULL = 8
WOOD = 9
BUOY = 10
