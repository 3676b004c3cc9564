import { unwrap, type WeirClient, type WeirError } from '@weir/client';
import type { Known } from '../core/entity-tag.js';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { type Compared, type Draft, listCode, type RemoteCode } from './remote.js';

/** The revisions that this run has made or taken, with the state that it knows since then. */
export type Made = Map<Compared, Draft>;

/**
 * The error of a publish that came second: what others changed meanwhile, who did, and what to do. Any other error is returned as
 * it is.
 */
export async function toldOfOthers(
  weir: WeirClient,
  error: WeirError,
  chosen: readonly Compared[],
  made: Made,
): Promise<Error> {
  const isMade = error.details?.['existingId'] !== undefined;
  if (error.status !== 412 && !isMade) return error;
  const now = await listCode(weir);
  const lines = await Promise.all(chosen.map((one) => changeOf(weir, one, made.get(one) ?? one.remote, now)));
  const changes = lines.filter((line) => line !== undefined);
  return new CliError(
    [
      'Nothing was published, because somebody else changed the same code meanwhile:',
      ...(changes.length > 0 ? changes : [`  ${error.message}`]),
    ].join('\n'),
    'Compare with `weir diff`, take over what you want to keep, then publish again.',
    ExitCode.failed,
  );
}

/** A line about code that is no longer in the state that this run knows. */
async function changeOf(
  weir: WeirClient,
  { file: { kind, name } }: Compared,
  known: Known | undefined,
  now: readonly RemoteCode[],
): Promise<string | undefined> {
  const what = `  ${kind === 'libraries' ? 'library' : 'transformation'} "${name}"`;
  const found = now.find((one) => one.kind === kind && (known ? one.id === known.id : one.name === name));
  if (!found) return known && `${what} was deleted`;
  if (found.etag === known?.etag) return undefined;
  const { createdBy = 'somebody', createdAt, versionId } = await latestOf(weir, found);
  return `${what}: the latest revision is now ${versionId}, by ${createdBy} at ${createdAt}`;
}

async function latestOf(weir: WeirClient, { kind, id }: RemoteCode) {
  const params = { path: { id }, query: { count: 1, orderBy: 'DESC' as const } };
  const latest =
    kind === 'libraries'
      ? (await unwrap(weir.GET('/libraries/{id}/versions', { params }))).libraryVersions[0]
      : (await unwrap(weir.GET('/transformations/{id}/versions', { params }))).TransformationVersions[0];
  if (!latest) throw new CliError(`${kind} ${id} has no revision`);
  return latest;
}
