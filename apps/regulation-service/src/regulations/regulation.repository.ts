import type { ListOrder, RegulationType } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import type { Session } from '@weir/service-kit';
import { Check, Column, Entity, Generated, In, Index, IsNull, LessThan, MoreThan, Not, PrimaryColumn } from 'typeorm';
import type { AuditFact } from '../audit/audit.chain.js';

/** One regulation of one user. Its suppressions and deletion tasks have tables of their own. */
@Entity('regulations')
@Check('regulations_regulation_type_check', `regulation_type IN ('suppress', 'suppress_with_delete')`)
@Index('regulations_page', ['workspaceId', 'seq'], { unique: true })
@Index('regulations_user', ['workspaceId', 'userKey', 'seq'])
@Index('regulations_canceled', ['workspaceId', 'seq'], { where: 'canceled_at IS NOT NULL' })
@Index('regulations_with_delete', ['workspaceId', 'seq'], { where: `regulation_type = 'suppress_with_delete'` })
export class RegulationEntity {
  @PrimaryColumn({ type: 'uuid' })
  declare id: string;

  /** Increases in order of creation. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  declare seq: string;

  @Column({ name: 'workspace_id', type: 'text' })
  declare workspaceId: string;

  @Column({ name: 'regulation_type', type: 'text' })
  declare regulationType: RegulationType;

  /** The user's match key. */
  @Column({ name: 'user_key', type: 'bytea' })
  declare userKey: Buffer;

  /** Encrypted. */
  @Column({ type: 'text' })
  declare attributes: string;

  /** Null for every source. */
  @Column({ name: 'source_ids', type: 'text', array: true, nullable: true })
  declare sourceIds: string[] | null;

  /** Null for `suppress`. */
  @Column({ name: 'destination_ids', type: 'text', array: true, nullable: true })
  declare destinationIds: string[] | null;

  @Column({ name: 'created_by', type: 'text' })
  declare createdBy: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  declare createdAt: Date;

  @Column({ name: 'canceled_at', type: 'timestamptz', nullable: true })
  declare canceledAt: Date | null;
}

/** The fields that all regulations of one request share, and their users. */
export type NewRegulations = Pick<
  RegulationEntity,
  'workspaceId' | 'regulationType' | 'sourceIds' | 'destinationIds' | 'createdBy'
> & {
  /** In list order. */
  users: Pick<RegulationEntity, 'id' | 'userKey' | 'attributes'>[];
};

export async function insertRegulations(sql: Sql, regulations: NewRegulations): Promise<void> {
  await sql.run(
    `INSERT INTO regulations
       (workspace_id, regulation_type, source_ids, destination_ids, created_by, id, user_key, attributes)
     SELECT $1, $2, $3::text[], $4::text[], $5, id, user_key, attributes
     FROM unnest($6::uuid[], $7::bytea[], $8::text[]) WITH ORDINALITY AS new (id, user_key, attributes, ordinal)
     ORDER BY ordinal`,
    [
      regulations.workspaceId,
      regulations.regulationType,
      regulations.sourceIds,
      regulations.destinationIds,
      regulations.createdBy,
      regulations.users.map(({ id }) => id),
      regulations.users.map(({ userKey }) => userKey),
      regulations.users.map(({ attributes }) => attributes),
    ],
  );
}

/** Conditions that the database can check. Undefined matches everything. */
export interface RegulationConditions {
  /** Any of these keys. */
  userKeys?: Buffer[] | undefined;
  regulationType?: RegulationType | undefined;
  canceled?: boolean | undefined;
  /** The order of their creation, oldest first unless given. */
  order?: ListOrder | undefined;
}

/** Enough of a regulation to search by status. A whole row may have 16 KiB of attributes and thousands of ids. */
export type RegulationKey = Pick<RegulationEntity, 'id' | 'seq'>;
/** The columns of a regulation that lists show. */
export type ListedRow = Omit<RegulationEntity, 'sourceIds' | 'destinationIds' | 'userKey' | 'createdBy'>;

const KEY = { id: true, seq: true } as const;
const LISTED = {
  ...KEY,
  ...{ workspaceId: true, regulationType: true, attributes: true, createdAt: true, canceledAt: true },
} as const;

/** Up to `limit` regulations after the position, in the wanted order. */
export function listRegulations(
  sql: Session,
  workspaceId: string,
  after: bigint,
  limit: number,
  conditions: RegulationConditions = {},
): Promise<ListedRow[]> {
  const options = { ...pageAfter(workspaceId, after, conditions), select: LISTED, take: limit };
  return sql.getRepository(RegulationEntity).find(options);
}

/** The keys of what {@link listRegulations} returns. */
export function listKeys(
  sql: Session,
  workspaceId: string,
  after: bigint,
  limit: number,
  conditions: RegulationConditions,
): Promise<RegulationKey[]> {
  const options = { ...pageAfter(workspaceId, after, conditions), select: KEY, take: limit };
  return sql.getRepository(RegulationEntity).find(options);
}

/** The regulations with these keys, in the wanted order. */
export async function regulationsOf(
  sql: Session,
  workspaceId: string,
  keys: readonly RegulationKey[],
  { order = 'asc' }: RegulationConditions,
): Promise<ListedRow[]> {
  if (keys.length === 0) return [];
  const where = { workspaceId, id: In(keys.map(({ id }) => id)) };
  return sql.getRepository(RegulationEntity).find({ select: LISTED, where, order: { seq: order } });
}

/** The query contains only the given conditions, so that the planner picks the matching index. */
const pageAfter = (
  workspaceId: string,
  after: bigint,
  { userKeys, regulationType, canceled, order = 'asc' }: RegulationConditions,
) => ({
  where: {
    workspaceId,
    seq: order === 'asc' ? MoreThan(after.toString()) : LessThan(after.toString()),
    ...(userKeys && { userKey: In(userKeys) }),
    ...(regulationType && { regulationType }),
    ...(canceled !== undefined && { canceledAt: canceled ? Not(IsNull()) : IsNull() }),
  },
  order: { seq: order },
});

export async function findRegulation(
  sql: Session,
  workspaceId: string,
  id: string,
): Promise<RegulationEntity | undefined> {
  return (await sql.getRepository(RegulationEntity).findOneBy({ workspaceId, id })) ?? undefined;
}

export async function markCanceled(sql: Session, workspaceId: string, id: string): Promise<void> {
  await sql.getRepository(RegulationEntity).update({ workspaceId, id }, { canceledAt: () => 'now()' });
}

/** Audit fact about a change of a regulation. */
export const factOf = (
  action: AuditFact['action'],
  actor: string,
  { id, userKey }: Pick<RegulationEntity, 'id' | 'userKey'>,
  details: AuditFact['details'],
): AuditFact => ({ actor, action, regulationId: id, subjectHash: userKey, details });
