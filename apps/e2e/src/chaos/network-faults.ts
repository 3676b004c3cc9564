import { setTimeout as sleep } from 'node:timers/promises';
import type { Way } from '@weir/local';
import type { Links, Weather } from './links.js';

/** Long enough for leases to end and for others to take over. */
const SPELL_MS = 8_000;
/** A delay that a request bears, and one at which most calls end in a timeout. */
const SLOW_MS = 150;
const LOSSY_SHARE = 0.02;
/** PostgreSQL's words for the end of a transaction. */
const COMMIT = 'COMMIT';

/** `isUsed` says whether a connection goes through it. */
type Meant = (way: Way, isUsed: boolean) => boolean;
const toDatabase: Meant = ({ to }) => to === 'postgres';
/** Links from processes to brokers. Brokers have links of their own among themselves. */
const toBroker: Meant = ({ from, to }) => to.startsWith('nats-server') && !from.startsWith('nats-server');
/** Everybody loses one server of a cluster, the other servers as well. */
const around =
  (server: string): Meant =>
  ({ from, to }) =>
    from === server || to === server;
const amongServers =
  (server: string): Meant =>
  (way, isUsed) =>
    way.from.startsWith('nats-server') && around(server)(way, isUsed);

interface Spell {
  weather: Weather;
  isMeant: (random: () => number) => Meant;
}

/** One user of the broker, or schema of the database, is cut off. The process behind it lives on. */
const oneOf =
  (users: readonly string[], isServer: Meant) =>
  (random: () => number): Meant => {
    const user = users[Math.floor(random() * users.length)];
    return (way, isUsed) => way.from === user && isServer(way, isUsed);
  };
const SCHEMAS = ['gateway', 'registry', 'regulation', 'delivery', 'schemas'];
const USERS = ['gateway', 'filter', 'collector', 'deliverer', 'regulation', 'registry', 'sandbox'];

const SPELLS: Record<string, Spell> = {
  'partition a process from the broker': { weather: { cut: 'both' }, isMeant: oneOf(USERS, toBroker) },
  'partition a process from the broker, answers only': { weather: { cut: 'back' }, isMeant: oneOf(USERS, toBroker) },
  'partition a service from the database': { weather: { cut: 'both' }, isMeant: oneOf(SCHEMAS, toDatabase) },
  'partition a service from the database, answers only': {
    weather: { cut: 'back' },
    isMeant: oneOf(SCHEMAS, toDatabase),
  },
  'partition the database': { weather: { cut: 'both' }, isMeant: () => toDatabase },
  'partition the broker': { weather: { cut: 'both' }, isMeant: () => toBroker },
  'slow broker': { weather: { delayMs: SLOW_MS }, isMeant: () => toBroker },
  'slow database': { weather: { delayMs: SLOW_MS }, isMeant: () => toDatabase },
  'lossy broker': { weather: { resetShare: LOSSY_SHARE }, isMeant: () => toBroker },
  'lossy database': { weather: { resetShare: LOSSY_SHARE }, isMeant: () => toDatabase },
  'cut at a commit': { weather: { resetAt: COMMIT }, isMeant: oneOf(SCHEMAS, toDatabase) },
};

/** Which of three servers it is follows from the random numbers. */
const oneServer = (meant: (server: string) => Meant) => (random: () => number) =>
  meant(['nats-server', 'nats-server-2', 'nats-server-3'][Math.floor(random() * 3)] ?? '');
/** A process loses the server that it uses, and may go on with another. */
const fromItsServer = (random: () => number): Meant => {
  const isUser = oneOf(USERS, toBroker)(random);
  return (way, isUsed) => isUsed && isUser(way, isUsed);
};

const CLUSTER_SPELLS: Record<string, Spell> = {
  'partition a broker from all': { weather: { cut: 'both' }, isMeant: oneServer(around) },
  'partition a broker from the others': { weather: { cut: 'both' }, isMeant: oneServer(amongServers) },
  'partition a broker from the others, one way': { weather: { cut: 'there' }, isMeant: oneServer(amongServers) },
  'partition a process from its broker': { weather: { cut: 'both' }, isMeant: fromItsServer },
  'partition a process from its broker, answers only': { weather: { cut: 'back' }, isMeant: fromItsServer },
};

export const networkFaults = (brokers: number): string[] =>
  Object.keys({ ...SPELLS, ...(brokers > 1 && CLUSTER_SPELLS) });

/** Undefined if the fault is not one of the network. */
export async function causeNetworkFault(
  links: Links,
  fault: string,
  random: () => number,
): Promise<string | undefined> {
  const spell = SPELLS[fault] ?? CLUSTER_SPELLS[fault];
  if (!spell) return undefined;
  const isMeant = spell.isMeant(random);
  const ways = new Set<Way>();
  links.become(spell.weather, (way, isUsed) => isMeant(way, isUsed) && Boolean(ways.add(way)));
  await sleep(SPELL_MS);
  links.become({}, (way) => ways.has(way));
  return `${fault}, for ${SPELL_MS} ms: ${[...ways].map(({ from, to }) => `${from} to ${to}`).join(', ')}`;
}
