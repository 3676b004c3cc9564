import type { JsonObject } from '@weir/contracts';
import type { DeliveryResult, DeliverySession, DestinationKind, SessionItem } from '../src/kind.js';
import { type OpenOutbound, openOutbound } from './redis.fixtures.js';

let items = 0;

/** The items that the deliverer hands to a session for these events. */
export const itemsFor = (kind: DestinationKind, config: JsonObject, events: readonly JsonObject[]): SessionItem[] =>
  events.flatMap((event) =>
    kind.transform(event, config).map((payload) => {
      items += 1;
      return { payload, idempotencyKey: `batch-1.${items}` };
    }),
  );

export interface OpenTestSession {
  session: DeliverySession;
  deliver(...events: JsonObject[]): Promise<DeliveryResult[]>;
  connections: OpenOutbound['connections'];
}

/** A session that connects like the outbound client, but without its guard. The caller closes it. */
export function openSession(
  kind: DestinationKind,
  config: JsonObject,
  way: Omit<OpenOutbound, 'sockets'> = openOutbound(),
): OpenTestSession {
  const session = kind.open?.(config, way.outbound);
  if (!session) throw new Error('the kind has no sessions');
  return {
    session,
    deliver: (...events) => session.deliver(itemsFor(kind, config, events)),
    connections: way.connections,
  };
}

/** An outbound client whose `break` cuts every open connection, like a restart or a cut cable. */
export function breakable(): OpenOutbound & { break(): void } {
  const way = openOutbound();
  return { ...way, break: () => way.sockets.forEach((socket) => void socket.destroy()) };
}

/** An outbound client that refuses, like the real one for Weir's own database and broker. */
export const refusal = Object.assign(new Error('The address is not allowed'), { name: 'EgressError', code: 'blocked' });
export const refusing = (): Omit<OpenOutbound, 'sockets'> => ({
  connections: [],
  outbound: { request: () => Promise.reject(refusal), connect: () => Promise.reject(refusal) },
});
