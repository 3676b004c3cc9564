import { Injectable } from '@nestjs/common';
import { AppError, FindModelOwner, MASK, notFound, type SourcePrivacy } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { recordAct } from '../../acts/acting.js';

/** Write keys of sources. Reads the database, because the mirror may lag. */
@Injectable()
export class SourceKeyRepository {
  constructor(private readonly database: Database) {}

  async belongs(workspaceId: string, writeKey: string): Promise<boolean> {
    const { rows } = await this.database.run(`SELECT FROM sources WHERE workspace_id = $1 AND write_key = $2`, [
      workspaceId,
      writeKey,
    ]);
    return rows.length > 0;
  }

  /** Ids of the sources of a workspace, by write key. */
  async idsByKey(workspaceId: string): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.database.run<{ id: string; writeKey: string }>(
      `SELECT id, write_key AS "writeKey" FROM sources WHERE workspace_id = $1`,
      [workspaceId],
    );
    return new Map(rows.map(({ id, writeKey }) => [writeKey, id]));
  }

  /** Write keys of sources with this name: at most one in a workspace. Without a workspace, the first two of all. */
  async named(workspaceId: string | undefined, name: string): Promise<string[]> {
    const { rows } = await this.database.run<{ writeKey: string }>(
      `SELECT write_key AS "writeKey" FROM sources WHERE name = $1 AND ($2::text IS NULL OR workspace_id = $2) LIMIT 2`,
      [name, workspaceId ?? null],
    );
    return rows.map(({ writeKey }) => writeKey);
  }

  /**
   * Notes the act once the schema service has stored the settings. If this fails, the caller gets an error and repeats a request
   * that is safe to repeat. A write key without a source belongs to no workspace, and so to no trail.
   */
  async notePrivacy(writeKey: string, { Samples, MaskedKeys }: SourcePrivacy): Promise<void> {
    const { rows } = await this.database.run<{ id: string; workspaceId: string }>(
      `SELECT id, workspace_id AS "workspaceId" FROM sources WHERE write_key = $1`,
      [writeKey],
    );
    const details = { samples: Samples, maskedKeys: MaskedKeys };
    for (const source of rows)
      await recordAct(this.database, { kind: 'source', verb: 'privacy_changed', ...source, details });
  }
}

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
