import { createServer, type Server } from 'node:http';
import type { BoundAddress } from './config.js';
import type { Health } from './health.js';
import type { Metrics } from './metrics.js';

/** Serves /livez, /readyz and /metrics of a process on a separate address. For the cluster only, never for the public. */
export async function startOpsServer(address: BoundAddress, health: Health, metrics: Metrics): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (path === '/livez') return json(200, { live: true });
    if (path === '/readyz') {
      const report = await health.report();
      return json(report.ready ? 200 : 503, report);
    }
    if (path === '/metrics') {
      return response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text());
    }
    return json(404, { message: 'Not found: /livez, /readyz and /metrics are here' });
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(address, done));
  return server;
}
