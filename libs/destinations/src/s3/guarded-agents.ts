import { type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Outbound } from '../kind.js';

const CONNECT_TIMEOUT_MS = 10_000;

type OnConnection = (error: Error | null, stream: Duplex) => void;

/** Agents for Node's HTTP client. The outbound client makes every connection and checks its target. */
export function guardedAgents(
  outbound: Outbound,
  maxSockets: number,
): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const open = (tls: boolean) => (options: ClientRequestArgs, callback?: OnConnection) => {
    const where = { host: String(options.host), port: Number(options.port), tls, timeoutMs: CONNECT_TIMEOUT_MS };
    const failed = (error: Error) => (callback as ((error: Error) => void) | undefined)?.(error);
    outbound.connect(where).then((socket) => callback?.(null, socket), failed);
    return undefined;
  };
  const httpAgent = new HttpAgent({ keepAlive: true, maxSockets });
  const httpsAgent = new HttpsAgent({ keepAlive: true, maxSockets });
  httpAgent.createConnection = open(false);
  httpsAgent.createConnection = open(true);
  return { httpAgent, httpsAgent };
}
