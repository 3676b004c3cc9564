import { CreateTransformation, invalidField, type RequestOf, type UpdateTransformation } from '@weir/contracts';
import { type Candidates, NO_CANDIDATES } from '../gate/nodes.js';
import { type Base, type Draft, revisionOn } from '../revisions/revision.draft.js';
import { checkName } from '../rules/fields.js';
import { checkRunnable } from '../rules/language.js';
import { nullable } from '../rules/nullable.js';

type Request = RequestOf<typeof CreateTransformation> | RequestOf<typeof UpdateTransformation>;

export function draftOn(base: Base, request: Request): Draft {
  const name = checkName(request.name ?? base.name);
  const revision = revisionOn(base, request, { name });
  return { revision, candidates: candidatesOf({ ...base, ...revision, name }, request) };
}

/** Candidates that have to pass: everything published, and drafts that come with events (ruling 5). */
function candidatesOf(
  { id, versionId, name, code, imports, language, externalId }: Base & Draft['revision'],
  { publish, events = [], samples = [], credentials, allowFetch }: Request,
): Candidates {
  if (!publish && events.length === 0) return NO_CANDIDATES;
  checkRunnable(name, language);
  return {
    ...NO_CANDIDATES,
    transformations: [{ id, versionId, name, imports, ...nullable('externalId', externalId) }],
    tests: new Map(events.length > 0 ? [[versionId, [{ name: 'events', input: events }]]] : []),
    samples: new Map([[versionId, samples]]),
    reach: { credentials, allowFetch },
    unsavedCode: new Map([[versionId, code]]),
  };
}

/** Only published code can be linked (ruling 1). */
export function checkDestinations({ publish, destinationIds = [] }: Pick<Request, 'publish' | 'destinationIds'>) {
  if (publish || destinationIds.length === 0) return;
  throw invalidField('destinationIds', 'can only be connected when the transformation is published: use publish=true');
}
