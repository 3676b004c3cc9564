import { expect, it } from '@jest/globals';
import { MemoryWorkspace } from '../../test/memory-workspace.js';
import { apply } from './apply.js';
import { diff } from './diff.js';
import type { Desired } from './resources.js';

/** A workspace that writes down its changes, with what they enable. */
class RecordingWorkspace extends MemoryWorkspace {
  readonly requests: string[] = [];

  override createSource(body: Parameters<MemoryWorkspace['createSource']>[0]) {
    this.requests.push(`create source, enabled: ${body['enabled']}`);
    return super.createSource(body);
  }
  override updateSource(...given: Parameters<MemoryWorkspace['updateSource']>) {
    this.requests.push(`update source, enabled: ${given[1]['enabled']}`);
    return super.updateSource(...given);
  }
  override putPrivacy(...given: Parameters<MemoryWorkspace['putPrivacy']>) {
    this.requests.push('put privacy');
    return super.putPrivacy(...given);
  }
  override updateDestination(...given: Parameters<MemoryWorkspace['updateDestination']>) {
    this.requests.push(`update destination, enabled: ${given[1]['enabled']}`);
    return super.updateDestination(...given);
  }
  override link(...given: Parameters<MemoryWorkspace['link']>) {
    this.requests.push('link');
    return super.link(...given);
  }
  override unlink(...given: Parameters<MemoryWorkspace['unlink']>) {
    this.requests.push('unlink');
    return super.unlink(...given);
  }
}

const project = (enabled: boolean, transformation?: string, samples: 'off' | 'keep' = 'off'): Desired => ({
  sources: [
    {
      ...{ name: 'shop', type: 'HTTP', enabled, transient: false, geoEnrichment: false, partitions: 1, config: {} },
      ...{ writeKey: 'known-to-sdks', privacy: { samples, maskedKeys: [] }, secrets: {} },
    },
  ],
  destinations: [
    {
      ...{ name: 'hook', type: 'WEBHOOK', enabled, config: {}, transformation, secrets: {} },
      placeOf: () => ({ file: 'weir.yaml', line: 1 }),
    },
  ],
  connections: [],
  transformations: [{ name: 'mask', description: '', code: '// mask' }],
  libraries: [],
  credentials: [],
});

it.each([
  [
    'enables a destination once its transformation stands before it, and a source once its privacy is set',
    project(false, undefined, 'keep'),
    project(true, 'mask'),
    ['link', 'update destination, enabled: true', 'put privacy', 'update source, enabled: true'],
  ],
  [
    'disables a destination before its transformation goes',
    project(true, 'mask'),
    project(false),
    ['update destination, enabled: false', 'unlink', 'update source, enabled: false'],
  ],
])('an apply %s', async (_, before, after, requests) => {
  const workspace = new RecordingWorkspace({});
  const applied = async (desired: Desired) => apply(diff(desired, await workspace.read()), workspace);
  await applied(before);
  workspace.requests.length = 0;
  await applied(after);
  expect(workspace.requests).toEqual(requests);
});

it('a new source takes events once its privacy is set, although SDKs may know its write key', async () => {
  const workspace = new RecordingWorkspace({});
  const wanted = project(true);
  await apply(diff(wanted, await workspace.read()), workspace);
  expect(workspace.requests).toEqual(['create source, enabled: false', 'put privacy', 'update source, enabled: true']);
  expect(diff(wanted, await workspace.read()).steps).toEqual([]);
});
