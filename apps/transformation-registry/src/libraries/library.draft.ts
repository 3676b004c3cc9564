import type { CreateLibrary, RequestOf, UpdateLibrary } from '@weir/contracts';
import { type Candidates, NO_CANDIDATES } from '../gate/nodes.js';
import { type Base, type Draft, revisionOn } from '../revisions/revision.draft.js';
import { importNameOf } from '../rules/import-name.js';
import { checkRunnable } from '../rules/language.js';
import { nullable } from '../rules/nullable.js';

type Request = RequestOf<typeof CreateLibrary> | RequestOf<typeof UpdateLibrary>;

/** Ignores another name without an error, because real clients send one with every update (wire-facts 1.5). */
export function draftOn(base: Base, request: Request): Draft {
  const revision = revisionOn(base, request, {});
  return { revision, candidates: candidatesOf({ ...base, ...revision }, request) };
}

/** A library is tested when it is published. Drafts are stored without tests (ruling 5). */
function candidatesOf(
  { id, versionId, name, code, imports, language, externalId }: Base & Draft['revision'],
  { publish, credentials, allowFetch }: Request,
): Candidates {
  if (!publish) return NO_CANDIDATES;
  checkRunnable(name, language);
  return {
    ...NO_CANDIDATES,
    libraries: [
      { id, versionId, name, importName: importNameOf(name), imports, ...nullable('externalId', externalId) },
    ],
    reach: { credentials, allowFetch },
    unsavedCode: new Map([[versionId, code]]),
  };
}
