import { Injectable } from '@nestjs/common';
import {
  CreateTransformation,
  DeleteTransformation,
  GetTransformation,
  GetTransformationVersion,
  invalidField,
  isAppError,
  type JsonObject,
  ListTransformations,
  ListTransformationVersions,
  type ObjectStatus,
  UpdateTransformation,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { z } from 'zod';
import { listed } from '../../http/entity-tag.js';
import { answerList, listUnder } from '../../http/lists.js';
import type { Principal } from '../../http/principal.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import { CredentialService } from '../credentials/credential.service.js';
import { ReplayService } from './replay.service.js';
import type {
  CreateTransformationBody,
  CreateTransformationQuery,
  ListQuery,
  TransformationList,
  TransformationVersions,
  UpdateTransformationBody,
  VersionsQuery,
  WriteQuery,
} from './revision.schemas.js';

type Connecting = { destinationIds?: string[] | undefined; events?: JsonObject[] | undefined };

@Injectable()
export class TransformationService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly inventory: InventoryLookup,
    private readonly credentials: CredentialService,
    private readonly replays: ReplayService,
  ) {}

  async create(caller: Principal, body: CreateTransformationBody, query: CreateTransformationQuery) {
    const { destinationIds = [] } = body;
    const { uniqueName } = query;
    const request = { ...body, uniqueName, ...(await this.writing(caller, body, query, async () => destinationIds)) };
    return this.rpc.send(CreateTransformation, request);
  }

  async update(
    caller: Principal,
    id: string,
    body: UpdateTransformationBody,
    query: WriteQuery,
    ifMatch: string[] | undefined,
  ) {
    const destinations = async () => body.destinationIds ?? this.destinationsOf(caller, id);
    const request = { ...body, id, ifMatch, ...(await this.writing(caller, body, query, destinations)) };
    return this.rpc.send(UpdateTransformation, request);
  }

  list({ workspaceId }: Principal, { status, etags }: ListQuery): Promise<z.output<typeof TransformationList>> {
    return answerList(listUnder('transformations'), async (after: string | undefined) => {
      const { transformations, next } = await this.rpc.send(ListTransformations, { workspaceId, status, after });
      return { items: listed(transformations, etags), next };
    });
  }

  get({ workspaceId }: Principal, id: string, status: ObjectStatus) {
    return this.rpc.send(GetTransformation, { workspaceId, id, status });
  }

  delete({ workspaceId, email: by }: Principal, id: string, status: ObjectStatus, ifMatch: string[] | undefined) {
    return this.rpc.send(DeleteTransformation, { workspaceId, id, status, ifMatch, by });
  }

  versions(
    { workspaceId }: Principal,
    id: string,
    query: VersionsQuery,
  ): Promise<z.output<typeof TransformationVersions>> {
    return answerList(listUnder('TransformationVersions'), async (after: string | undefined) => {
      const { versions, next } = await this.rpc.send(ListTransformationVersions, { workspaceId, id, ...query, after });
      return { items: listed(versions, false), next };
    });
  }

  version({ workspaceId }: Principal, id: string, versionId: string) {
    return this.rpc.send(GetTransformationVersion, { workspaceId, id, versionId });
  }

  /** The fields that a write adds to its body. `destinations` supplies those whose events serve as samples. */
  private async writing(
    caller: Principal,
    body: Connecting,
    { publish, replace, replaySamples }: WriteQuery,
    destinations: () => Promise<string[]>,
  ) {
    const { workspaceId, email: createdBy } = caller;
    await this.requireDestinations(workspaceId, body, publish);
    const samples = replaySamples > 0 ? await destinations() : [];
    return {
      ...{ workspaceId, createdBy, publish, replace },
      samples: await this.replays.ofDestinations(workspaceId, samples, replaySamples),
      ...(await this.reachOf(caller, body, publish)),
    };
  }

  /** Empty while the transformation is not published. */
  private async destinationsOf(caller: Principal, id: string): Promise<string[]> {
    try {
      return (await this.get(caller, id, 'published')).destinations;
    } catch (error) {
      if (isAppError(error) && error.code === 'not_found') return [];
      throw error;
    }
  }

  /** A draft without events does not run, so it needs no access. */
  private async reachOf(caller: Principal, { events = [] }: Connecting, publish: boolean) {
    return publish || events.length > 0 ? this.credentials.reachOf(caller) : undefined;
  }

  /** Only live transformations can be connected (ruling 1), and only to destinations of their workspace. */
  private async requireDestinations(workspaceId: string, body: Connecting, publish: boolean): Promise<void> {
    const { destinationIds = [] } = body;
    if (destinationIds.length === 0) return;
    if (!publish) throw invalidField('destinationIds', 'can only be connected with publish=true');
    await this.inventory.requireDestinations(workspaceId, 'destinationIds', destinationIds);
  }
}
