import { unwrap, type WeirClient } from '@weir/client';
import { ifMatch, type Known, type ToDelete, tagged } from '../core/entity-tag.js';
import type { JsonObject } from './json.js';
import type { CodeKind, Kind } from './plan.js';
import { basicOf, readWorkspace } from './read-workspace.js';
import type { Actual, Code, Privacy } from './resources.js';
import { changedSince, Untouched } from './untouched.js';
import type { Draft, RevisionToPublish, Workspace } from './workspace.js';

/** A create that is sent again, by a run after one that was killed, makes nothing twice. */
const ONCE = { query: { uniqueName: true } };
const at = ({ id, etag }: Known) => ({ path: { id }, ...ifMatch(etag) });

/** The workspace of a token, over the API. Throws the errors of the API, which name what is wrong. */
export class ClientWorkspace implements Workspace {
  private readonly untouched: Untouched;

  constructor(
    private readonly client: WeirClient,
    private readonly token: string,
  ) {
    this.untouched = new Untouched(client, token);
  }

  read(): Promise<Actual> {
    return readWorkspace(this.client, this.token);
  }

  async putCredential(key: string, body: { value: string; isSecret: boolean }, known?: Known): Promise<void> {
    await this.untouched.credential(key, known);
    await unwrap(this.client.PUT('/v2/credentials/{key}', { params: { path: { key } }, body }));
  }

  draft(kind: CodeKind, existing: Known | undefined, body: Code): Promise<Draft> {
    const { client } = this;
    if (kind === 'library')
      return existing
        ? tagged(client.POST('/libraries/{id}', { params: at(existing), body }))
        : tagged(client.POST('/libraries', { params: ONCE, body }));
    return existing
      ? tagged(client.POST('/transformations/{id}', { params: at(existing), body }))
      : tagged(client.POST('/transformations', { params: ONCE, body }));
  }

  async publish(revisions: RevisionToPublish[]): Promise<void> {
    const of = (kind: CodeKind) =>
      revisions
        .filter((one) => one.kind === kind)
        .map(({ versionId, etag, events, tests }) => ({
          ...{ versionId, ifMatch: etag ?? null },
          ...(events && { testInput: JSON.stringify(events) }),
          ...(tests && { testSuite: tests, saveTests: true }),
        }));
    const body = { transformations: of('transformation'), libraries: of('library') };
    await unwrap(this.client.POST('/transformations/libraries/publish', { body }));
  }

  async createSource(body: JsonObject): Promise<{ id: string; writeKey: string }> {
    return (await unwrap(this.client.POST('/v2/sources', { params: ONCE, body: body as never }))).source;
  }

  async updateSource(existing: Known, body: JsonObject): Promise<void> {
    await unwrap(this.client.PUT('/v2/sources/{id}', { params: at(existing), body }));
  }

  async putPrivacy(writeKey: string, { samples, maskedKeys }: Privacy, known?: Privacy): Promise<void> {
    await this.untouched.privacy(writeKey, known);
    const body = { Samples: samples, MaskedKeys: maskedKeys };
    const init = { params: { path: { WriteKey: writeKey } }, headers: basicOf(this.token), body };
    await unwrap(this.client.PUT('/schemas/sources/{WriteKey}/privacy', init));
  }

  /** The types of the API know each kind of destination. The files are checked by the API itself. */
  async createDestination(body: JsonObject): Promise<{ id: string }> {
    return (await unwrap(this.client.POST('/v2/destinations', { params: ONCE, body: body as never }))).destination;
  }

  async updateDestination(existing: Known, body: JsonObject): Promise<void> {
    await unwrap(this.client.PUT('/v2/destinations/{id}', { params: at(existing), body: body as never }));
  }

  async link(id: string, transformationId: string, known?: string): Promise<void> {
    await this.untouched.link(id, known, transformationId);
    const body = { transformationId };
    await unwrap(this.client.PUT('/v2/destinations/{id}/transformation', { params: { path: { id } }, body }));
  }

  async unlink(id: string, known?: string): Promise<void> {
    await this.untouched.link(id, known, undefined);
    await gone(this.client.DELETE('/v2/destinations/{id}/transformation', { params: { path: { id } } }));
  }

  async createConnection(body: { sourceId: string; destinationId: string; enabled: boolean }): Promise<void> {
    await unwrap(this.client.POST('/v2/connections', { body }));
  }

  async updateConnection(existing: Known, body: { enabled: boolean }): Promise<void> {
    await unwrap(this.client.PUT('/v2/connections/{id}', { params: at(existing), body }));
  }

  delete(kind: Kind, existing: ToDelete): Promise<void> {
    const params = at(existing);
    switch (kind) {
      case 'credential':
        return this.deleteCredential(existing);
      case 'library':
        return gone(this.client.DELETE('/libraries/{id}', { params }));
      case 'transformation':
        return this.deleteTransformation(existing);
      case 'source':
        return gone(this.client.DELETE('/v2/sources/{id}', { params }));
      case 'destination':
        return gone(this.client.DELETE('/v2/destinations/{id}', { params }));
      case 'connection':
        return gone(this.client.DELETE('/v2/connections/{id}', { params }));
    }
  }

  private async deleteCredential(existing: Known): Promise<void> {
    await this.untouched.credential(existing.id, existing, true);
    await gone(this.client.DELETE('/v2/credentials/{key}', { params: { path: { key: existing.id } } }));
  }

  /**
   * Deletes only the known revision, and only with the current tag. Weir unlinks deleted destinations some time after its answer.
   * Each unlinked destination changes the tag, so a refused tag is read again.
   */
  private async deleteTransformation({ id, versionId }: ToDelete): Promise<void> {
    const params = { path: { id }, query: { status: 'all' as const } };
    for (let left = TAG_READINGS_MAX; ; left -= 1) {
      const reading = this.client.GET('/transformations/{id}', { params });
      if ((await reading).error?.status === 404) return;
      const now = await tagged(reading);
      if (versionId !== undefined && now.versionId !== versionId) throw changedSince(`Transformation "${now.name}"`);
      const deleting = this.client.DELETE('/transformations/{id}', { params: at(now) });
      if (left === 1 || (await deleting).error?.status !== 412) return gone(deleting);
    }
  }
}

/** After a few in a row the cause is no late unlinking. Someone keeps changing the transformation. */
const TAG_READINGS_MAX = 10;

/** Accepts that the object is gone already, because a request may be sent twice. */
async function gone(answer: ReturnType<WeirClient['DELETE']>): Promise<void> {
  const { error } = await answer;
  if (error && error.status !== 404) throw error;
}
