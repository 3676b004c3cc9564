# All images for both platforms: docker buildx bake -f deploy/docker/bake.hcl
# The apps differ in their last layers only. Base, Node and the build context are the same.
variable "REGISTRY" { default = "weir" }
variable "VERSION" { default = "dev" }

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
  args       = { APP = app }
  platforms  = ["linux/amd64", "linux/arm64"]
  tags       = ["${REGISTRY}/${app}:${VERSION}"]
  attest     = ["type=sbom", "type=provenance,mode=max"]
}
