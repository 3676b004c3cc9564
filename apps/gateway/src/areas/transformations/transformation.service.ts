import { Injectable } from '@nestjs/common';
import {
  CreateTransformation,
  DeleteTransformation,
  invalidField,
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
import type {
  Conditional,
  CreateTransformationBody,
  TransformationList,
  TransformationVersionList,
  UpdateTransformationBody,
  VersionsQuery,
} from './transformation.schemas.js';

type Connecting = { destinationIds?: string[] | undefined; events?: JsonObject[] | undefined };

@Injectable()
export class TransformationService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly inventory: InventoryLookup,
    private readonly credentials: CredentialService,
  ) {}

  async create({ workspaceId, email }: Principal, body: CreateTransformationBody, publish: boolean) {
    await this.requireDestinations(workspaceId, body, publish);
    const credentials = await this.credentialsFor(workspaceId, body, publish);
    return this.rpc.send(CreateTransformation, { ...body, workspaceId, createdBy: email, publish, credentials });
  }

  async update(
    { workspaceId, email }: Principal,
    id: string,
    body: Conditional<UpdateTransformationBody>,
    publish: boolean,
  ) {
    await this.requireDestinations(workspaceId, body, publish);
    const credentials = await this.credentialsFor(workspaceId, body, publish);
    return this.rpc.send(UpdateTransformation, { ...body, workspaceId, id, createdBy: email, publish, credentials });
  }

  list(workspaceId: string): Promise<z.output<typeof TransformationList>> {
    return answerList(listUnder('transformations'), async (after: string | undefined) => {
      const { transformations, next } = await this.rpc.send(ListTransformations, { workspaceId, after });
      return { items: transformations, next };
    });
  }

  versions(workspaceId: string, id: string, query: VersionsQuery): Promise<z.output<typeof TransformationVersionList>> {
    return answerList(listUnder('TransformationVersions'), async (after: string | undefined) => {
      const { versions, next } = await this.rpc.send(ListTransformationVersions, { workspaceId, id, ...query, after });
      return { items: versions, next };
    });
  }

  delete(workspaceId: string, id: string, ifMatch: string[] | undefined) {
    return this.rpc.send(DeleteTransformation, { workspaceId, id, ifMatch });
  }

  /** A draft without events is not run. */
  private async credentialsFor(workspaceId: string, { events = [] }: Connecting, publish: boolean) {
    return publish || events.length > 0 ? this.credentials.forTests(workspaceId) : undefined;
  }

  /** Only what is live can be connected (ruling 1), and only to destinations of the workspace. */
  private async requireDestinations(workspaceId: string, body: Connecting, publish: boolean): Promise<void> {
    const { destinationIds = [] } = body;
    if (destinationIds.length === 0) return;
    if (!publish) throw invalidField('destinationIds', 'can be connected with publish=true only');
    await this.inventory.requireDestinations(workspaceId, 'destinationIds', destinationIds);
  }
}
