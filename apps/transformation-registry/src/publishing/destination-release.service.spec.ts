import { describe, expect, it } from '@jest/globals';
import type { DestinationState } from './destination-release.repository.js';
import { changedReleases } from './destination-release.service.js';

const library = (name: string, imports: string[] = []) => ({
  id: name,
  versionId: `v-${name}`,
  name,
  importName: name,
  imports,
});
const libraries = new Map([library('l', ['m']), library('m')].map((one) => [one.importName, one]));
const linked = { transformationId: 't', versionId: 'v2', imports: ['l'], onTrial: false };
const live = { transformationId: 't', versionId: 'v2', libraryVersionIds: ['v-l', 'v-m'], onTrial: false };
const nothing = { transformationId: null, versionId: null, libraryVersionIds: [], onTrial: false };
const changes = (state: Omit<DestinationState, 'destinationId'>) =>
  changedReleases([{ destinationId: 'd', ...state }], libraries);

describe('changedReleases', () => {
  it('finds a first link', () => {
    expect(changes({ linked })).toEqual([{ destinationId: 'd', ...live }]);
  });

  it.each([
    ['another version', { ...live, versionId: 'v1' }],
    ['another library version', { ...live, libraryVersionIds: ['v-l', 'v-m0'] }],
    ['another transformation', { ...live, transformationId: 'u' }],
    ['no longer nothing', nothing],
    ['the end of a trial', { ...live, onTrial: true }],
  ])('finds %s', (_, released) => {
    expect(changes({ linked, released })).toEqual([{ destinationId: 'd', ...live }]);
  });

  it('finds a link that is gone', () => {
    expect(changes({ released: live })).toEqual([{ destinationId: 'd', ...nothing }]);
    expect(changes({ released: nothing })).toEqual([]);
  });

  it('leaves alone what is as it should be', () => {
    expect(changes({ linked, released: live })).toEqual([]);
  });
});
