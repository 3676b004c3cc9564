# All images for both platforms: docker buildx bake -f deploy/docker/bake.hcl
# The apps differ in their last layers only. Base, Node and the build context are the same.
variable "REGISTRY" { default = "localhost/weir" }
variable "VERSION" { default = "dev" }
# A release names both bases by digest.
variable "NODE_IMAGE" { default = "node:24-trixie" }
variable "BASE_IMAGE" { default = "debian:trixie-slim" }

group "default" {
  targets = ["app"]
}

target "app" {
  name = app
  matrix = {
    app = ["code-sandbox", "delivery-service", "gateway", "regulation-service", "schema-service", "test-runner", "transformation-registry"]
  }
  context    = "."
  dockerfile = "deploy/docker/Dockerfile"
  args       = { APP = app, NODE_IMAGE = NODE_IMAGE, BASE_IMAGE = BASE_IMAGE }
  platforms  = ["linux/amd64", "linux/arm64"]
  tags       = ["${REGISTRY}/${app}:${VERSION}"]
  attest     = ["type=sbom", "type=provenance,mode=max"]
}
