import { CreateTransformation, invalidField, type RequestOf, type UpdateTransformation } from '@weir/contracts';
import { type Candidates, NO_CANDIDATES } from '../gate/nodes.js';
import { extractImports } from '../rules/extract-imports.js';
import { checkCode, checkDescription, checkName } from '../rules/fields.js';
import { checkRunnable } from '../rules/language.js';
import type { NewTransformationRevision } from './transformation.repository.js';
import type { TransformationRow } from './transformation.view.js';

type CreateRequest = RequestOf<typeof CreateTransformation>;
type UpdateRequest = RequestOf<typeof UpdateTransformation>;
type Ids = { id: string; versionId: string };

export function firstRevision(ids: Ids, request: CreateRequest, language: string): NewTransformationRevision {
  return {
    ...ids,
    name: checkName(request.name),
    description: checkDescription(request.description ?? ''),
    code: checkCode(request.code),
    imports: extractImports(request.code, language),
    createdBy: request.createdBy,
  };
}

/** What the request leaves out stays as the latest revision has it; an empty description clears. */
export function nextRevision(ids: Ids, request: UpdateRequest, latest: TransformationRow): NewTransformationRevision {
  const code = request.code ?? latest.code;
  return {
    ...ids,
    name: checkName(request.name ?? latest.name),
    description: checkDescription(request.description ?? latest.description),
    code: checkCode(code),
    imports: extractImports(code, latest.language),
    createdBy: request.createdBy,
  };
}

/** What has to pass: everything that is published, and drafts that come with events (ruling 5). */
export function candidatesOf(
  revision: NewTransformationRevision,
  { publish, events = [], credentials = [] }: Pick<CreateRequest, 'publish' | 'events' | 'credentials'>,
  { language, externalId }: { language: string; externalId: string | null },
): Candidates {
  if (!publish && events.length === 0) return NO_CANDIDATES;
  checkRunnable(revision.name, language);
  const { id, versionId, name, code, imports } = revision;
  return {
    ...NO_CANDIDATES,
    transformations: [{ id, versionId, name, imports, ...(externalId !== null && { externalId }) }],
    tests: new Map(events.length > 0 ? [[versionId, [{ name: 'events', input: events }]]] : []),
    credentials,
    unsavedCode: new Map([[versionId, code]]),
  };
}

/** Only published code can be linked (ruling 1). */
export function checkDestinations({ publish, destinationIds = [] }: Pick<CreateRequest, 'publish' | 'destinationIds'>) {
  if (publish || destinationIds.length === 0) return;
  throw invalidField('destinationIds', 'can only be connected when the transformation is published: use publish=true');
}
