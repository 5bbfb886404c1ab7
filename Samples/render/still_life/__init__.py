"""Fruit, a bowl and a bottle on linen in window light."""
