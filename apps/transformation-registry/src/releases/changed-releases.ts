import { type Importable, resolveImports } from '../gate/resolve-imports.js';

/** The code that runs for a destination. */
export interface LiveCode {
  transformationId: string | null;
  versionId: string | null;
  libraryVersionIds: readonly string[];
  /** True if its first events are to be counted. */
  onTrial: boolean;
}

/** A destination that is linked or once was. */
export interface DestinationState {
  destinationId: string;
  /** The published revision of the linked transformation. Missing without a link. */
  linked?: { transformationId: string; versionId: string; imports: readonly string[]; onTrial: boolean };
  /** The newest release. Missing for a destination that never had one. */
  released?: LiveCode;
}

export type NewRelease = LiveCode & { destinationId: string };

const NOTHING: LiveCode = { transformationId: null, versionId: null, libraryVersionIds: [], onTrial: false };

/** Releases that pointers and links require and that do not exist yet. */
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
