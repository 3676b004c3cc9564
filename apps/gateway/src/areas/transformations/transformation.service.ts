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
  UpdateTransformation,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { z } from 'zod';
import type { Principal } from '../../auth/principal.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import { CredentialService } from '../credentials/credential.service.js';
import { answerList, listUnder } from '../pages.js';
import { ReplayService } from './replay.service.js';
import type { RevisionService } from './revision.routes.js';
import type { VersionsQuery } from './revision.schemas.js';
import type {
  CreateTransformationBody,
  TRANSFORMATION,
  UpdateTransformationBody,
  WriteQuery,
} from './transformation.schemas.js';

type Connecting = { destinationIds?: string[] | undefined; events?: JsonObject[] | undefined };

@Injectable()
export class TransformationService implements RevisionService<typeof TRANSFORMATION> {
  constructor(
    private readonly rpc: RpcClient,
    private readonly inventory: InventoryLookup,
    private readonly credentials: CredentialService,
    private readonly replays: ReplayService,
  ) {}

  async create(caller: Principal, body: CreateTransformationBody, query: WriteQuery) {
    const { destinationIds = [] } = body;
    const request = { ...body, ...(await this.writing(caller, body, query, async () => destinationIds)) };
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

  list({ workspaceId }: Principal): Promise<z.output<typeof TRANSFORMATION.list>> {
    return answerList(listUnder('transformations'), async (after: string | undefined) => {
      const { transformations, next } = await this.rpc.send(ListTransformations, { workspaceId, after });
      return { items: transformations, next };
    });
  }

  get({ workspaceId }: Principal, id: string) {
    return this.rpc.send(GetTransformation, { workspaceId, id });
  }

  delete({ workspaceId }: Principal, id: string, ifMatch: string[] | undefined) {
    return this.rpc.send(DeleteTransformation, { workspaceId, id, ifMatch });
  }

  versions(
    { workspaceId }: Principal,
    id: string,
    query: VersionsQuery,
  ): Promise<z.output<typeof TRANSFORMATION.versionList>> {
    return answerList(listUnder('TransformationVersions'), async (after: string | undefined) => {
      const { versions, next } = await this.rpc.send(ListTransformationVersions, { workspaceId, id, ...query, after });
      return { items: versions, next };
    });
  }

  version({ workspaceId }: Principal, id: string, versionId: string) {
    return this.rpc.send(GetTransformationVersion, { workspaceId, id, versionId });
  }

  /** The fields that a write adds to its body. `destinations` supplies those whose events serve as samples. */
  private async writing(
    caller: Principal,
    body: Connecting,
    { publish, replaySamples }: WriteQuery,
    destinations: () => Promise<string[]>,
  ) {
    const { workspaceId, email: createdBy } = caller;
    await this.requireDestinations(workspaceId, body, publish);
    const samples = replaySamples > 0 ? await destinations() : [];
    return {
      ...{ workspaceId, createdBy, publish },
      samples: await this.replays.ofDestinations(workspaceId, samples, replaySamples),
      ...(await this.reachOf(caller, body, publish)),
    };
  }

  /** Empty while the transformation is not published. */
  private async destinationsOf(caller: Principal, id: string): Promise<string[]> {
    try {
      return (await this.get(caller, id)).destinations;
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
    if (!publish) throw invalidField('destinationIds', 'can be connected with publish=true only');
    await this.inventory.requireDestinations(workspaceId, 'destinationIds', destinationIds);
  }
}
