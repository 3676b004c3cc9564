import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditAct } from '@weir/contracts';
import { noteAct, type Sql } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';

/** Who acts in the current request, and what the request does to the objects that it writes. */
export interface Acting {
  actor: string;
  /** Undefined for the operator, whose requests name the workspace. */
  workspaceId: string | undefined;
  verb: string;
}

export const acting = new AsyncLocalStorage<Acting>();

interface Act {
  kind: string;
  id: string;
  /** The caller's, if none is given. */
  workspaceId?: string;
  /** That of the request's method, if none is given. */
  verb?: string;
  details?: AuditAct['details'];
}

/** Notes the act in the transaction that does it. Work that nobody asked for, such as a repair, is not an act. */
export async function recordAct(sql: Sql, { kind, id, details, ...given }: Act): Promise<void> {
  const now = acting.getStore();
  const workspaceId = given.workspaceId ?? now?.workspaceId;
  if (!now || workspaceId === undefined) return;
  await noteAct(sql, {
    ...{ actId: newKsuid(), workspaceId, actor: now.actor, action: `${kind}.${given.verb ?? now.verb}` },
    ...{ at: new Date().toISOString(), details: { ...details, id } },
  });
}
