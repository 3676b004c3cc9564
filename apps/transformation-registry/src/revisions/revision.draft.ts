import { checkCode, checkDescription, importsOf } from '../rules/fields.js';
import type { Candidates } from './nodes.js';
import type { NewRevision } from './revision.store.js';

/** The values that a new revision builds on: the object's latest revision, or its initial values. */
export interface Base {
  id: string;
  /** Version id of the new revision. */
  versionId: string;
  name: string;
  description: string;
  code: string;
  language: string;
  externalId: string | null;
}

/** Fields of a request that both artifacts share. */
export interface RevisionRequest {
  createdBy: string;
  description?: string | undefined;
  code?: string | undefined;
}

/** A revision to write, and the candidates that have to pass for it. */
export interface Draft {
  revision: NewRevision;
  candidates: Candidates;
  /** For an update: the version that supplies the values missing in the request. */
  basedOn?: string;
}

/** Values missing in the request stay unchanged. An empty description clears it. */
export function revisionOn(base: Base, request: RevisionRequest, columns?: NewRevision['columns']): NewRevision {
  const { id, versionId, language } = base;
  const code = checkCode(request.code ?? base.code);
  return {
    id,
    versionId,
    description: checkDescription(request.description ?? base.description),
    code,
    imports: importsOf(code, language),
    createdBy: request.createdBy,
    ...(columns && { columns }),
  };
}
