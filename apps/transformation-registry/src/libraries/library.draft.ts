import type { CreateLibrary, RequestOf, UpdateLibrary } from '@weir/contracts';
import { type Candidates, NO_CANDIDATES } from '../gate/nodes.js';
import { extractImports } from '../rules/extract-imports.js';
import { checkCode, checkDescription } from '../rules/fields.js';
import { checkRunnable } from '../rules/language.js';
import type { NewLibrary, NewLibraryRevision } from './library.repository.js';
import type { LibraryRow } from './library.view.js';

type Ids = { id: string; versionId: string };

export function firstRevision(
  ids: Ids,
  request: RequestOf<typeof CreateLibrary>,
  language: string,
): NewLibraryRevision {
  return {
    ...ids,
    description: checkDescription(request.description ?? ''),
    code: checkCode(request.code),
    imports: extractImports(request.code, language),
    createdBy: request.createdBy,
  };
}

/**
 * What the request leaves out stays as the latest revision has it; an empty description clears. Another name is no error
 * and no change: real clients send one with every update (wire-facts 1.5).
 */
export function nextRevision(
  ids: Ids,
  request: RequestOf<typeof UpdateLibrary>,
  latest: LibraryRow,
): NewLibraryRevision {
  const code = request.code ?? latest.code;
  return {
    ...ids,
    description: checkDescription(request.description ?? latest.description),
    code: checkCode(code),
    imports: extractImports(code, latest.language),
    createdBy: request.createdBy,
  };
}

/** A library is tested when it is published; drafts are kept as they are (ruling 5). */
export function candidatesOf(
  { id, versionId, code, imports }: NewLibraryRevision,
  { name, importName, language, externalId }: Pick<NewLibrary, 'name' | 'importName' | 'language' | 'externalId'>,
  { publish, credentials = [] }: Pick<RequestOf<typeof CreateLibrary>, 'publish' | 'credentials'>,
): Candidates {
  if (!publish) return NO_CANDIDATES;
  checkRunnable(name, language);
  return {
    ...NO_CANDIDATES,
    libraries: [{ id, versionId, name, importName, imports, ...(externalId !== null && { externalId }) }],
    credentials,
    unsavedCode: new Map([[versionId, code]]),
  };
}
