// Tells `nx release` where an app's version stands: in its package.json. Nx's own implementation publishes npm packages and
// comes with @nx/js and a compiler. Weir publishes images, so this much suffices. Nx loads it with `require`.
const { VersionActions } = require('nx/release');

module.exports = class PackageVersion extends VersionActions {
  validManifestFilenames = ['package.json'];

  async readCurrentVersionFromSourceManifest(tree) {
    const manifestPath = `${this.projectGraphNode.data.root}/package.json`;
    return { currentVersion: read(tree, manifestPath).version, manifestPath };
  }

  /** Apps are not in any package registry. */
  async readCurrentVersionFromRegistry() {
    return null;
  }

  /** Workspaces name each other with `*`, so a new version changes no dependent. */
  async readCurrentVersionOfDependency() {
    return { currentVersion: null, dependencyCollection: null };
  }

  async updateProjectVersion(tree, version) {
    const { root } = this.projectGraphNode.data;
    const manifest = read(tree, `${root}/package.json`);
    write(tree, `${root}/package.json`, { ...manifest, version });
    const lock = read(tree, LOCK);
    lock.packages[root].version = version;
    write(tree, LOCK, lock);
    return [`Version ${version} written to ${root}/package.json and ${LOCK}`];
  }

  async updateProjectDependencies() {
    return [];
  }
};

const LOCK = 'package-lock.json';
const read = (tree, path) => JSON.parse(tree.read(path, 'utf8'));
const write = (tree, path, content) => tree.write(path, `${JSON.stringify(content, null, 2)}\n`);
