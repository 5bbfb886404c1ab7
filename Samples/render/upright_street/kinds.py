"""What a ray meets in the street."""

NOTHING = 0
PAVING = 1
WALL = 2
SHUTTER = 3
TRIM = 4
IRON = 5
LANTERN = 6
TOWER = 7
POT = 8
LEAVES = 9
KERB = 10
