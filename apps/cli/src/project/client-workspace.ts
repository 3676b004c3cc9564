import { unwrap, type WeirClient } from '@weir/client';
import type { JsonObject } from './json.js';
import type { CodeKind } from './plan.js';
import { basicOf, readWorkspace } from './read-workspace.js';
import type { Actual, Code, Privacy } from './resources.js';
import type { RevisionToPublish, Workspace } from './workspace.js';

type Kind = Parameters<Workspace['delete']>[0];

/** The workspace of a token, over the API. Throws the errors of the API, which name what is wrong. */
export class ClientWorkspace implements Workspace {
  constructor(
    private readonly client: WeirClient,
    private readonly token: string,
  ) {}

  read(): Promise<Actual> {
    return readWorkspace(this.client, this.token);
  }

  async putCredential(key: string, body: { value: string; isSecret: boolean }): Promise<void> {
    await unwrap(this.client.PUT('/v2/credentials/{key}', { params: { path: { key } }, body }));
  }

  draft(kind: CodeKind, id: string | undefined, body: Code): Promise<{ id: string; versionId: string }> {
    const { client } = this;
    if (kind === 'library')
      return id === undefined
        ? unwrap(client.POST('/libraries', { body }))
        : unwrap(client.POST('/libraries/{id}', { params: { path: { id } }, body }));
    return id === undefined
      ? unwrap(client.POST('/transformations', { body }))
      : unwrap(client.POST('/transformations/{id}', { params: { path: { id } }, body }));
  }

  async publish(revisions: RevisionToPublish[]): Promise<void> {
    const of = (kind: CodeKind) =>
      revisions
        .filter((one) => one.kind === kind)
        .map(({ versionId, events }) => ({ versionId, ...(events && { testInput: JSON.stringify(events) }) }));
    const body = { transformations: of('transformation'), libraries: of('library') };
    await unwrap(this.client.POST('/transformations/libraries/publish', { body }));
  }

  async createSource(body: JsonObject): Promise<{ id: string; writeKey: string }> {
    return (await unwrap(this.client.POST('/v2/sources', { body: body as never }))).source;
  }

  async updateSource(id: string, body: JsonObject): Promise<void> {
    await unwrap(this.client.PUT('/v2/sources/{id}', { params: { path: { id } }, body }));
  }

  async putPrivacy(writeKey: string, { samples, maskedKeys }: Privacy): Promise<void> {
    const body = { Samples: samples, MaskedKeys: maskedKeys };
    const init = { params: { path: { WriteKey: writeKey } }, headers: basicOf(this.token), body };
    await unwrap(this.client.PUT('/schemas/sources/{WriteKey}/privacy', init));
  }

  /** The types of the API know each kind of destination. The files are checked by the API itself. */
  async createDestination(body: JsonObject): Promise<{ id: string }> {
    return (await unwrap(this.client.POST('/v2/destinations', { body: body as never }))).destination;
  }

  async updateDestination(id: string, body: JsonObject): Promise<void> {
    await unwrap(this.client.PUT('/v2/destinations/{id}', { params: { path: { id } }, body: body as never }));
  }

  async link(id: string, transformationId: string): Promise<void> {
    const body = { transformationId };
    await unwrap(this.client.PUT('/v2/destinations/{id}/transformation', { params: { path: { id } }, body }));
  }

  async unlink(id: string): Promise<void> {
    await gone(this.client.DELETE('/v2/destinations/{id}/transformation', { params: { path: { id } } }));
  }

  async createConnection(body: { sourceId: string; destinationId: string; enabled: boolean }): Promise<void> {
    await unwrap(this.client.POST('/v2/connections', { body }));
  }

  async updateConnection(id: string, body: { enabled: boolean }): Promise<void> {
    await unwrap(this.client.PUT('/v2/connections/{id}', { params: { path: { id } }, body }));
  }

  delete(kind: Kind, id: string): Promise<void> {
    const params = { path: { id } };
    switch (kind) {
      case 'credential':
        return gone(this.client.DELETE('/v2/credentials/{key}', { params: { path: { key: id } } }));
      case 'library':
        return gone(this.client.DELETE('/libraries/{id}', { params }));
      case 'transformation':
        return gone(this.client.DELETE('/transformations/{id}', { params }));
      case 'source':
        return gone(this.client.DELETE('/v2/sources/{id}', { params }));
      case 'destination':
        return gone(this.client.DELETE('/v2/destinations/{id}', { params }));
      case 'connection':
        return gone(this.client.DELETE('/v2/connections/{id}', { params }));
    }
  }
}

/** Accepts that the object is gone already, because a request may be sent twice. */
async function gone(answer: ReturnType<WeirClient['DELETE']>): Promise<void> {
  const { error } = await answer;
  if (error && error.status !== 404) throw error;
}
