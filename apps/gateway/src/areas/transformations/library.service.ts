import { Injectable } from '@nestjs/common';
import {
  CreateLibrary,
  DeleteLibrary,
  GetLibrary,
  GetLibraryVersion,
  ListLibraries,
  ListLibraryUsages,
  ListLibraryVersions,
  UpdateLibrary,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { z } from 'zod';
import type { Principal } from '../../auth/principal.js';
import { CredentialService } from '../credentials/credential.service.js';
import { answerList, listUnder } from '../pages.js';
import type {
  Conditional,
  CreateLibraryBody,
  LibraryList,
  LibraryVersionList,
  UpdateLibraryBody,
  VersionsQuery,
} from './transformation.schemas.js';

/** Adds to what the registry answers what only the gateway knows: the name of the workspace (spec 2.2). */
@Injectable()
export class LibraryService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly credentials: CredentialService,
  ) {}

  async create(caller: Principal, body: CreateLibraryBody, publish: boolean) {
    const { workspaceId, email } = caller;
    const credentials = await this.credentialsFor(workspaceId, publish);
    const request = { ...body, workspaceId, createdBy: email, publish, credentials };
    return shown(caller, await this.rpc.send(CreateLibrary, request));
  }

  async update(caller: Principal, id: string, body: Conditional<UpdateLibraryBody>, publish: boolean) {
    const { workspaceId, email } = caller;
    const credentials = await this.credentialsFor(workspaceId, publish);
    const request = { ...body, workspaceId, id, createdBy: email, publish, credentials };
    return shown(caller, await this.rpc.send(UpdateLibrary, request));
  }

  async get(caller: Principal, id: string) {
    return shown(caller, await this.rpc.send(GetLibrary, { workspaceId: caller.workspaceId, id }));
  }

  async version(caller: Principal, id: string, versionId: string) {
    return shown(caller, await this.rpc.send(GetLibraryVersion, { workspaceId: caller.workspaceId, id, versionId }));
  }

  delete({ workspaceId }: Principal, id: string, ifMatch: string[] | undefined) {
    return this.rpc.send(DeleteLibrary, { workspaceId, id, ifMatch });
  }

  usages(workspaceId: string, id: string) {
    return this.rpc.send(ListLibraryUsages, { workspaceId, id });
  }

  list(caller: Principal): Promise<z.output<typeof LibraryList>> {
    const { workspaceId } = caller;
    return answerList(listUnder('libraries'), async (after: string | undefined) => {
      const { libraries, next } = await this.rpc.send(ListLibraries, { workspaceId, after });
      return { items: libraries.map((library) => shown(caller, library)), next };
    });
  }

  /** Live code that imports the library runs when it is published. */
  private async credentialsFor(workspaceId: string, publish: boolean) {
    return publish ? this.credentials.forTests(workspaceId) : undefined;
  }

  versions(caller: Principal, id: string, query: VersionsQuery): Promise<z.output<typeof LibraryVersionList>> {
    const { workspaceId } = caller;
    return answerList(listUnder('libraryVersions'), async (after: string | undefined) => {
      const { versions, next } = await this.rpc.send(ListLibraryVersions, { workspaceId, id, ...query, after });
      return { items: versions.map((version) => shown(caller, version)), next };
    });
  }
}

const shown = <L extends object>({ workspaceId, workspaceName }: Principal, library: L) => ({
  ...library,
  workspace: { id: workspaceId, name: workspaceName },
});
