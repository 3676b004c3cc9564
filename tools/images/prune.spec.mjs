import { describe, expect, it } from '@jest/globals';
import { isUnread } from './prune.mjs';

describe('what an image does without', () => {
  it.each([
    'apps/gateway/dist/main.js.map',
    'node_modules/zod/index.d.ts',
    'node_modules/zod/index.d.cts',
    'node_modules/rxjs/CHANGELOG.md',
    'node_modules/isolated-vm/isolated-vm-7.0.1.tgz',
    'node_modules/bintrees/test/perf/100k',
    'node_modules/@fastify/static/example/server.js',
    'libs/egress/node_modules/undici/docs/index.html',
    'node_modules/typeorm/browser/index.js',
    'node_modules/isolated-vm/prebuilds/win32-x64/isolated-vm.abi137.node',
    'node_modules/isolated-vm/prebuilds/linux-x64/isolated-vm.abi137.glibc.node',
    'node_modules/isolated-vm/prebuilds/linux-arm64/isolated-vm.abi137.musl.node',
  ])('%s', (path) => expect(isUnread(path, 'linux-arm64')).toBe(true));
});

describe('what stays', () => {
  it.each([
    ['code of an area that is called test', 'apps/gateway/dist/areas/test/test.controller.js'],
    ['code of a library in such a folder', 'node_modules/yaml/dist/doc/Document.js'],
    ['a package of such a name', 'node_modules/browser/index.js'],
    ['native code of this platform', 'node_modules/isolated-vm/prebuilds/linux-arm64/isolated-vm.abi137.glibc.node'],
    ['a licence', 'node_modules/fastify/LICENSE'],
    ['data', 'node_modules/mime-db/db.json'],
  ])('%s', (_, path) => expect(isUnread(path, 'linux-arm64')).toBe(false));
});
