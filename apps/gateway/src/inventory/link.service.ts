import { Injectable } from '@nestjs/common';
import {
  DeleteLink,
  GetLink,
  isAppError,
  isAway,
  Ksuid,
  ListUsedVersions,
  notFound,
  PutLink,
  type ReplyOf,
  unknownId,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { Principal } from '../http/principal.js';
import { DestinationRepository } from './inventory.repositories.js';

type Link = ReplyOf<typeof PutLink>;
type Used = ReplyOf<typeof ListUsedVersions>;

/** Deadline for optional parts of an answer. */
const BESIDE_PATIENCE_MS = 1_000;

/** The registry stores the links. The gateway checks that the destination belongs to the workspace. */
@Injectable()
export class LinkService {
  constructor(
    private readonly destinations: DestinationRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** Includes the version that each deliverer last ran. */
  async get(workspaceId: string, destinationId: string): Promise<Link & Partial<Used>> {
    await this.requireDestination(workspaceId, destinationId);
    const link = await this.rpc.send(GetLink, { workspaceId, destinationId });
    return { ...link, ...(await this.usedVersions(workspaceId, destinationId)) };
  }

  /** Null without a link. Undefined if the registry does not answer in time, because callers can do without it. */
  async transformationOf(workspaceId: string, destinationId: string): Promise<string | null | undefined> {
    try {
      const options = { deadlineMs: BESIDE_PATIENCE_MS };
      return (await this.rpc.send(GetLink, { workspaceId, destinationId }, options)).transformationId;
    } catch (error) {
      if (isAppError(error) && error.code === 'not_found') return null;
      if (isAway(error)) return undefined;
      throw error;
    }
  }

  async put({ workspaceId, email: by }: Principal, destinationId: string, transformationId: string): Promise<Link> {
    await this.requireDestination(workspaceId, destinationId);
    const unknown = unknownId('transformationId', 'published transformation', transformationId);
    if (!Ksuid.safeParse(transformationId).success) throw unknown;
    try {
      return await this.rpc.send(PutLink, { workspaceId, destinationId, transformationId, by });
    } catch (error) {
      // An unknown id in a body is a bad field, not a missing page (ruling 26).
      throw isAppError(error) && error.code === 'not_found' ? unknown : error;
    }
  }

  async delete({ workspaceId, email: by }: Principal, destinationId: string): Promise<Link> {
    await this.requireDestination(workspaceId, destinationId);
    return this.rpc.send(DeleteLink, { workspaceId, destinationId, by });
  }

  /** Undefined before the first use, and if no service answers in time. The link is complete without it. */
  private async usedVersions(workspaceId: string, destinationId: string): Promise<Used | undefined> {
    try {
      const options = { deadlineMs: BESIDE_PATIENCE_MS };
      const used = await this.rpc.send(ListUsedVersions, { workspaceId, destinationId }, options);
      return used.deliverers.length > 0 ? used : undefined;
    } catch (error) {
      if (isAway(error)) return undefined;
      throw error;
    }
  }

  private async requireDestination(workspaceId: string, id: string): Promise<void> {
    if (!(await this.destinations.find(workspaceId, id))) throw notFound('destination');
  }
}
