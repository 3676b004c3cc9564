import { type Importable, resolveImports } from '../gate/resolve-imports.js';

/** What runs for a destination. */
export interface LiveCode {
  transformationId: string | null;
  versionId: string | null;
  libraryVersionIds: readonly string[];
  /** Its first events are to be counted. */
  onTrial: boolean;
}

/** A destination that is linked, or was once. */
export interface DestinationState {
  destinationId: string;
  /** The published revision of the linked transformation; missing without a link. */
  linked?: { transformationId: string; versionId: string; imports: readonly string[]; onTrial: boolean };
  /** The newest release; missing for a destination that never had one. */
  released?: LiveCode;
}

export type NewRelease = LiveCode & { destinationId: string };

const NOTHING: LiveCode = { transformationId: null, versionId: null, libraryVersionIds: [], onTrial: false };

/** Releases that pointers and links call for and that are not there yet. */
export function changedReleases(states: readonly DestinationState[], libraries: Importable): NewRelease[] {
  return states.flatMap(({ destinationId, linked, released = NOTHING }) => {
    const wanted = linked ? codeOf(linked, libraries) : NOTHING;
    return isSame(wanted, released) ? [] : [{ destinationId, ...wanted }];
  });
}

const codeOf = (
  { transformationId, versionId, imports, onTrial }: NonNullable<DestinationState['linked']>,
  libraries: Importable,
) => ({
  transformationId,
  versionId,
  libraryVersionIds: resolveImports({ imports }, libraries).libraries.map((library) => library.versionId),
  onTrial,
});

const isSame = (a: LiveCode, b: LiveCode) =>
  a.transformationId === b.transformationId &&
  a.versionId === b.versionId &&
  a.onTrial === b.onTrial &&
  a.libraryVersionIds.join() === b.libraryVersionIds.join();
