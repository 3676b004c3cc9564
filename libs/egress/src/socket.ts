import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import tls from 'node:tls';
import { EgressError, toEgressError } from './errors.js';
import type { ResolvedAddress } from './guard.js';
import type { Target } from './target.js';

/**
 * A handshake with a Diffie-Hellman group that the server chooses may hold the event loop for seconds, and no timeout ends it. The default
 * also serves libraries that begin TLS on an open socket, as for PostgreSQL and NATS.
 */
tls.DEFAULT_CIPHERS = `${tls.DEFAULT_CIPHERS}:!kDHE`;

export interface TlsChoice {
  /** Accepts any certificate. Only for a destination whose configuration says so. */
  skipVerify?: boolean;
  /** Trusts this certificate authority (PEM) instead of the public ones. */
  ca?: string;
}

/** Connects to one of the checked addresses. The name serves only for SNI and the certificate. */
export function openSocket(
  { host, port, secure }: Target,
  addresses: ResolvedAddress[],
  timeoutMs: number,
  { skipVerify, ca }: TlsChoice = {},
): Promise<Socket> {
  const where = { host, port, lookup: pinned(addresses), noDelay: true, keepAlive: true };
  const trust = { rejectUnauthorized: !skipVerify, ...(ca && { ca }) };
  const name = isIP(host) ? {} : { servername: host };
  const socket = secure ? tls.connect({ ...where, ...trust, ...name, ALPNProtocols: ['http/1.1'] }) : netConnect(where);
  return connected(socket, secure ? 'secureConnect' : 'connect', timeoutMs);
}

/** Not called for a literal address. Node connects to it directly, and it is itself the checked address. */
function pinned(addresses: ResolvedAddress[]): LookupFunction {
  return (_name, { all }, answer) => {
    const [first] = addresses;
    if (all) answer(null, addresses);
    else answer(null, first?.address ?? '', first?.family);
  };
}

function connected(socket: Socket, event: 'connect' | 'secureConnect', timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => {
      clearTimeout(timer);
      socket.destroy();
      reject(toEgressError(cause));
    };
    const late = () => fail(new EgressError('timeout', 'The connection could not be made in time', 'ETIMEDOUT'));
    const timer = setTimeout(late, timeoutMs);
    socket.on('error', fail);
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
