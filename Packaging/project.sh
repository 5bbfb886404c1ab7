# The one place of the project's address and of whom to write to; sourced by what packs it.
#
# There is no public address yet: example.org is reserved for examples (RFC 2606) and nobody reads mail there. Set both
# before you publish packages.
homepage=https://example.org/cropkit
maintainer="CropKit contributors <cropkit@example.org>"
