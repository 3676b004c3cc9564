import { unwrap, type WeirClient } from '@weir/client';
import { ifMatch, type Known, knownOf, tagged } from '../core/entity-tag.js';
import { findNamed } from '../core/find.js';
import type { CodeFile, CodeKind } from './folder.js';

/** A transformation or library of the workspace. */
export interface RemoteCode extends Known {
  kind: CodeKind;
  name: string;
  versionId: string;
  code: string;
  description: string;
  isPublished: boolean;
}

/** A revision that is not live yet, and the tag of its object since then. */
export interface Draft extends Known {
  versionId: string;
}

/** Code on disk, what the workspace has under its name, and whether they differ. */
export interface Compared {
  file: CodeFile;
  /** The published one, or else a draft that was never published. */
  remote?: RemoteCode;
  isChanged: boolean;
}

/** Everything of the workspace, published or not. */
export async function listCode(weir: WeirClient): Promise<RemoteCode[]> {
  const params = { query: { status: 'all' as const, etags: true } };
  const [{ transformations }, { libraries }] = await Promise.all([
    unwrap(weir.GET('/transformations', { params })),
    unwrap(weir.GET('/libraries', { params })),
  ]);
  return [
    ...transformations.map((one) => remoteOf('transformations', one)),
    ...libraries.map((one) => remoteOf('libraries', one)),
  ];
}

const remoteOf = (
  kind: CodeKind,
  one: Omit<RemoteCode, 'kind' | 'isPublished'> & { isPublished?: boolean },
): RemoteCode => {
  const { id, etag, name, versionId, code, description, isPublished = true } = one;
  return { kind, id, etag, name, versionId, code, description, isPublished };
};

/** Pairs what is on disk with the workspace, by name. Published objects win, because drafts may share their names. */
export async function compareCode(weir: WeirClient, files: readonly CodeFile[]): Promise<Compared[]> {
  const all = await listCode(weir);
  return files.map((file) => {
    const named = all.filter(({ kind, name }) => kind === file.kind && name === file.name);
    const published = named.filter(({ isPublished }) => isPublished);
    const candidates = published.length > 0 ? published : named.slice(0, 1);
    if (candidates.length === 0) return { file, isChanged: true };
    const remote = findNamed(file.kind === 'libraries' ? 'library' : 'transformation', candidates, file.name);
    return { file, remote, isChanged: !remote.isPublished || !isSame(remote, file) };
  });
}

const isSame = (remote: RemoteCode, { code, description }: CodeFile): boolean =>
  remote.code === code && remote.description === description;

/**
 * The revision to test or publish: the one that the workspace has if it is the same, and a new draft otherwise. Throws a 412 if the
 * workspace's code has changed since it was read, and a 409 if someone else has created code with this name meanwhile.
 */
export async function revisionOf(weir: WeirClient, { file, remote }: Compared): Promise<Draft> {
  if (remote && isSame(remote, file)) return { ...knownOf(remote), versionId: remote.versionId };
  const { kind, name, code, description } = file;
  const body = { name, code, description, language: 'javascript' };
  const made = { query: { publish: false, uniqueName: true } };
  const changed = remote && { query: { publish: false }, path: { id: remote.id }, ...ifMatch(remote.etag) };
  if (kind === 'libraries')
    return changed
      ? tagged(weir.POST('/libraries/{id}', { params: changed, body }))
      : tagged(weir.POST('/libraries', { params: made, body }));
  return changed
    ? tagged(weir.POST('/transformations/{id}', { params: changed, body }))
    : tagged(weir.POST('/transformations', { params: made, body }));
}
