import { rmSync } from 'node:fs';
import type { Supervised } from '@weir/local-servers';

const STOP_GRACE_MS = 5_000;

export default async function stopDatabaseServer(): Promise<void> {
  const { weirTestPostgres } = globalThis as { weirTestPostgres?: { folder: string; server: Supervised } };
  if (!weirTestPostgres) return;
  await weirTestPostgres.server.stop(STOP_GRACE_MS);
  rmSync(weirTestPostgres.folder, { recursive: true, force: true });
}
