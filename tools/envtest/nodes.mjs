// Stands in for the nodes of a cluster: reports every pod as ready, and the pods of Jobs as done. Jobs whose name contains the text in
// the file FAIL fail at each attempt. Usage: node nodes.mjs <API without TLS> <FAIL>
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , api, failFile] = process.argv;
const ROUND_MS = 300;

for (;;) {
  // The API server may be starting, or busy.
  await round().catch((error) => console.error(`${error.message} ${error.cause ?? ''}`));
  await sleep(ROUND_MS);
}

async function round() {
  const failing = (await readFile(failFile, 'utf8')).trim();
  const { items } = await (await fetch(`${api}/api/v1/pods`)).json();
  for (const pod of items) {
    const status = next(pod, failing);
    if (status) await report(pod, status);
  }
}

/** The next status that a node would report, unless it is reported already. */
function next({ metadata, spec, status }, failing) {
  if (status.phase !== 'Pending' || metadata.deletionTimestamp) return undefined;
  const job = metadata.ownerReferences?.find(({ kind }) => kind === 'Job')?.name;
  if (job && failing && job.includes(failing)) return { phase: 'Failed' };
  return job ? { phase: 'Succeeded' } : running(spec);
}

function running(spec) {
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const containerStatuses = spec.containers.map(({ name, image }) => ({
    name,
    image,
    imageID: image,
    ready: true,
    restartCount: 0,
    state: { running: { startedAt: now } },
  }));
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: now }];
  return { phase: 'Running', conditions, containerStatuses };
}

/** A pod may have gone or changed meanwhile. The next round looks at it again. */
async function report({ metadata: { namespace, name } }, status) {
  const answer = await fetch(`${api}/api/v1/namespaces/${namespace}/pods/${name}/status`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ status }),
  });
  if (!answer.ok && ![404, 409].includes(answer.status)) console.error(await answer.text());
}
