import { type Answer, unwrap } from '@weir/client';

/** Something of the workspace, in the state that this run has read. */
export interface Known {
  id: string;
  /** Entity tag of that state. Left out: a change has no condition. */
  etag?: string | undefined;
}

/** A transformation is known by its revision, because its tag changes with the destinations that the same plan deletes before it. */
export interface ToDelete extends Known {
  versionId?: string | undefined;
}

/** The id and the tag alone. */
export const knownOf = ({ id, etag }: Known): Known => ({ id, ...(etag !== undefined && { etag }) });

/** The `If-Match` header of a change. The server refuses the change with 412 if someone else changed the object first. */
export const ifMatch = (etag: string | undefined) => (etag === undefined ? {} : { header: { 'If-Match': etag } });

/** The data of an answer with its entity tag, for the next change. Throws its `WeirError` if there is one. */
export async function tagged<Data extends object>(answer: Promise<Answer<Data>>): Promise<Data & { etag?: string }> {
  const data = await unwrap(answer);
  const etag = (await answer).response?.headers.get('etag');
  return { ...data, ...(etag && { etag }) };
}
