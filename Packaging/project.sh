# The project's URL and contact, sourced by the scripts that make packages.
#
# There is no public URL yet: example.org is reserved for examples (RFC 2606) and nobody reads mail there. Set both
# before you publish packages.
homepage=https://example.org/cropkit
maintainer="CropKit contributors <cropkit@example.org>"
