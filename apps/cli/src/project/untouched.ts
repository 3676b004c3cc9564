import { type Answer, unwrap, type WeirClient, WeirError } from '@weir/client';
import type { Known } from '../core/entity-tag.js';
import { sameJson } from './json.js';
import { privacyOf } from './read-workspace.js';
import type { Privacy } from './resources.js';

/**
 * Links, privacy settings and credentials have no entity tags. Each is read again right before it is changed, and refused if it is
 * no longer as it was read. A change within that moment is not noticed.
 */
export class Untouched {
  constructor(
    private readonly client: WeirClient,
    private readonly token: string,
  ) {}

  /** `mayBeGone`: a deletion that is sent twice finds nothing. */
  async credential(key: string, known: Known | undefined, mayBeGone = false): Promise<void> {
    const now = await found(this.client.GET('/v2/credentials/{key}', { params: { path: { key } } }));
    if (now === undefined && mayBeGone) return;
    if (now?.credential.updatedAt !== known?.etag) throw changedSince(`Credential "${key}"`);
  }

  async privacy(writeKey: string, known: Privacy | undefined): Promise<void> {
    if (known && !sameJson(await privacyOf(this.client, this.token, writeKey), known))
      throw changedSince('The privacy of a source');
  }

  /** A request of a run that was killed may have made the link that is wanted. */
  async link(id: string, known: string | undefined, wanted: string | undefined): Promise<void> {
    const now = await found(this.client.GET('/v2/destinations/{id}/transformation', { params: { path: { id } } }));
    if (![known, wanted].includes(now?.transformationId)) throw changedSince('The transformation of a destination');
  }
}

/** As the API refuses a tag that is no longer current. */
export const changedSince = (what: string): WeirError =>
  new WeirError({ status: 412, code: 'PRECONDITION_FAILED', message: `${what} has changed since it was read` });

/** Undefined if there is no such object. */
async function found<Data>(answer: Promise<Answer<Data>>): Promise<Data | undefined> {
  return (await answer).error?.status === 404 ? undefined : unwrap(answer);
}
