import type { Candidates } from '../gate/nodes.js';
import { extractImports } from '../rules/extract-imports.js';
import { checkCode, checkDescription } from '../rules/fields.js';
import type { NewRevision } from './revision.store.js';

/** What a new revision builds on: the latest one of its object, or what the object begins with. */
export interface Base {
  id: string;
  /** Of the new revision. */
  versionId: string;
  name: string;
  description: string;
  code: string;
  language: string;
  externalId: string | null;
}

/** What a request may say of a revision, whichever kind. */
export interface RevisionRequest {
  createdBy: string;
  description?: string | undefined;
  code?: string | undefined;
}

/** A revision that is to be written, and what has to pass for it. */
export interface Draft {
  revision: NewRevision;
  candidates: Candidates;
  /** Of an update: the version whose values stand where the request gives none. */
  basedOn?: string;
}

/** What the request leaves out stays as it is; an empty description clears. */
export function revisionOn(base: Base, request: RevisionRequest, columns: NewRevision['columns']): NewRevision {
  const { id, versionId, language } = base;
  const code = checkCode(request.code ?? base.code);
  return {
    id,
    versionId,
    description: checkDescription(request.description ?? base.description),
    code,
    imports: extractImports(code, language),
    createdBy: request.createdBy,
    columns,
  };
}
