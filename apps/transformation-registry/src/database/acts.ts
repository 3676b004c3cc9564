import type { AuditAct } from '@weir/contracts';
import { noteAct } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import type { WriteScope } from './workspace-database.js';

/** Details are flat, because the trail hashes them as they are stored. */
type Act = Pick<AuditAct, 'action' | 'details'>;

/** Notes the act in the transaction that does it. Without a person or tool who asked for the work, there is no act. */
export async function recordAct({ sql, workspaceId, at }: WriteScope, by: string | undefined, act: Act): Promise<void> {
  if (by === undefined) return;
  await noteAct(sql, { ...act, actId: newKsuid(), workspaceId, actor: by, at: at.toISOString() });
}
