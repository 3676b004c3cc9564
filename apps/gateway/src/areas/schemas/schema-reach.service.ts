import { Injectable } from '@nestjs/common';
import { AppError, FindModelOwner, MASK, notFound } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { SourceKeyRepository } from './source-key.repository.js';

/** The workspace of the caller. Undefined is the operator, who reaches all of them. */
type Reach = string | undefined;

/** Keeps callers of area D to their own workspace. What belongs to another answers like what does not exist. */
@Injectable()
export class SchemaReach {
  constructor(
    private readonly rpc: RpcClient,
    private readonly sources: SourceKeyRepository,
  ) {}

  async requireModel(reach: Reach, eventId: string): Promise<void> {
    if (!(await this.owns(reach, { eventId }))) throw notFound(`Event model ${eventId}`);
  }

  async requireVersion(reach: Reach, versionId: string): Promise<void> {
    if (!(await this.owns(reach, { versionId }))) throw notFound(`Event version ${versionId}`);
  }

  async owns(reach: Reach, id: { eventId: string } | { versionId: string }): Promise<boolean> {
    return reach === undefined || (await this.rpc.send(FindModelOwner, id)).workspaceId === reach;
  }

  /** Puts the id of the source in place of write keys, for sessions of the console. Others see the rows as they are. */
  async keyHider(reach: Reach, isHidden: boolean): Promise<<Row extends Keyed>(row: Row) => Row & Named> {
    if (!isHidden || reach === undefined) return (row) => row;
    const ids = await this.sources.idsByKey(reach);
    return (row) => {
      const SourceID = ids.get(row.WriteKey);
      return { ...row, WriteKey: MASK, ...(SourceID !== undefined && { SourceID }) };
    };
  }

  /** The operator may name a source that does not exist yet. */
  async requireSource(reach: Reach, writeKey: string): Promise<void> {
    if (reach !== undefined && !(await this.sources.belongs(reach, writeKey))) throw notFound('source');
  }

  /** The write key that a list is limited to. An empty one means no filter (wire-facts 4.2). */
  async writeKey(reach: Reach, { WriteKey, SourceName }: SourceFilter): Promise<string | undefined> {
    if (SourceName === undefined) return WriteKey || undefined;
    if (WriteKey) throw new AppError('invalid', 'Ask by WriteKey or by SourceName, not by both');
    const [writeKey, another] = await this.sources.named(reach, SourceName);
    if (writeKey === undefined) throw notFound('source');
    if (another === undefined) return writeKey;
    throw new AppError('invalid', 'Sources of several workspaces have this name: ask by WriteKey');
  }
}

interface Keyed {
  WriteKey: string;
}
interface Named {
  SourceID?: string;
}
interface SourceFilter {
  WriteKey?: string | undefined;
  SourceName?: string | undefined;
}

/** Refuses a list of a schema service that did not limit it, because it is of the version before. */
export function requireLimited<Reply extends { workspaceId?: string | undefined }>(reach: Reach, reply: Reply): Reply {
  if (reply.workspaceId === reach) return reply;
  throw new AppError('unavailable', 'The schema service is being updated. Try again soon');
}
