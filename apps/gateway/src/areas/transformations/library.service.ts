import { Injectable } from '@nestjs/common';
import {
  CreateLibrary,
  DeleteLibrary,
  GetLibrary,
  GetLibraryVersion,
  ListLibraries,
  ListLibraryUsages,
  ListLibraryVersions,
  type ObjectStatus,
  UpdateLibrary,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { z } from 'zod';
import { listed } from '../../http/entity-tag.js';
import { answerList, listUnder } from '../../http/lists.js';
import type { Principal } from '../../http/principal.js';
import { CredentialService } from '../credentials/credential.service.js';
import type {
  CreateLibraryQuery,
  LibraryList,
  LibraryVersions,
  ListQuery,
  NewObjectBody,
  PublishQuery,
  RevisionBody,
  VersionsQuery,
} from './revision.schemas.js';

/** Adds the workspace's name to the registry's answers (spec 2.2). Only the gateway knows it. */
@Injectable()
export class LibraryService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly credentials: CredentialService,
  ) {}

  async create(caller: Principal, body: NewObjectBody, { publish, uniqueName }: CreateLibraryQuery) {
    const { workspaceId, email: createdBy } = caller;
    const reach = await this.reachOf(caller, publish);
    const request = { ...body, workspaceId, createdBy, publish, uniqueName, ...reach };
    return shown(caller, await this.rpc.send(CreateLibrary, request));
  }

  async update(
    caller: Principal,
    id: string,
    body: RevisionBody,
    { publish }: PublishQuery,
    ifMatch: string[] | undefined,
  ) {
    const { workspaceId, email: createdBy } = caller;
    const reach = await this.reachOf(caller, publish);
    const request = { ...body, workspaceId, id, createdBy, publish, ifMatch, ...reach };
    return shown(caller, await this.rpc.send(UpdateLibrary, request));
  }

  list(caller: Principal, { status, etags }: ListQuery): Promise<z.output<typeof LibraryList>> {
    const { workspaceId } = caller;
    return answerList(listUnder('libraries'), async (after: string | undefined) => {
      const { libraries, next } = await this.rpc.send(ListLibraries, { workspaceId, status, after });
      return { items: listed(libraries, etags).map((library) => shown(caller, library)), next };
    });
  }

  async get(caller: Principal, id: string, status: ObjectStatus) {
    return shown(caller, await this.rpc.send(GetLibrary, { workspaceId: caller.workspaceId, id, status }));
  }

  delete({ workspaceId, email: by }: Principal, id: string, status: ObjectStatus, ifMatch: string[] | undefined) {
    return this.rpc.send(DeleteLibrary, { workspaceId, id, status, ifMatch, by });
  }

  versions(caller: Principal, id: string, query: VersionsQuery): Promise<z.output<typeof LibraryVersions>> {
    const { workspaceId } = caller;
    return answerList(listUnder('libraryVersions'), async (after: string | undefined) => {
      const { versions, next } = await this.rpc.send(ListLibraryVersions, { workspaceId, id, ...query, after });
      return { items: listed(versions, false).map((version) => shown(caller, version)), next };
    });
  }

  async version(caller: Principal, id: string, versionId: string) {
    return shown(caller, await this.rpc.send(GetLibraryVersion, { workspaceId: caller.workspaceId, id, versionId }));
  }

  usages(workspaceId: string, id: string) {
    return this.rpc.send(ListLibraryUsages, { workspaceId, id });
  }

  /** Publishing a library runs the live code that imports it. That code needs its credentials and network access. */
  private async reachOf(caller: Principal, publish: boolean) {
    return publish ? this.credentials.reachOf(caller) : undefined;
  }
}

const shown = <L extends object>({ workspaceId, workspaceName }: Principal, library: L) => ({
  ...library,
  workspace: { id: workspaceId, name: workspaceName },
});
