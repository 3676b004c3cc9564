import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom the current work is done. */
export interface WorkOwner {
  workspaceId: string;
  /** The work guards the sending of events, so it never waits behind other work. */
  isUrgent: boolean;
}

const storage = new AsyncLocalStorage<WorkOwner | undefined>();

/**
 * Carries the workspace of a call to where its work takes turns with that of others. Work without an owner belongs to the process: leases,
 * health, relays.
 */
export const workOwner = {
  run: <T>(owner: WorkOwner, work: () => T): T => storage.run(owner, work),
  /** For work that many callers share, and for work that has had its turn. */
  leave: <T>(work: () => T): T => storage.run(undefined, work),
  get: (): WorkOwner | undefined => storage.getStore(),
};
