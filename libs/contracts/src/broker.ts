/**
 * The oldest broker that keeps every message when it is killed. Servers of the 2.9 line may read a consumer's half-written state
 * after a kill, and then remove messages that other consumers still wait for (deploy/README.md, Durability).
 */
export const RELIABLE_BROKER = [2, 10] as const;

/**
 * The oldest broker that loses no message in a cluster of several servers. In earlier ones a server may lead before it has applied what it
 * promised as a leader before. Consumers then skip messages that were never acknowledged (docs/evidence/2026-11-26-faults.md).
 */
export const RELIABLE_CLUSTER = [2, 11] as const;

/** A server of the broker, as it introduces itself to its clients. */
export interface BrokerInfo {
  version: string;
  /** Name of the cluster. Missing if the server is alone. */
  cluster?: string | undefined;
}

/** Whether the broker keeps every message when its servers are killed. */
export const isBrokerReliable = ({ version, cluster }: BrokerInfo): boolean =>
  isBrokerAtLeast(cluster ? RELIABLE_CLUSTER : RELIABLE_BROKER, version);

/** Whether a text with a version, such as `nats-server: v2.9.10` or `2.9.10`, names this version or a later one. */
export function isBrokerAtLeast([wantedMajor = 0, wantedMinor = 0]: readonly number[], text: string): boolean {
  const [, major, minor] = text.match(/\bv?(\d+)\.(\d+)\./) ?? [];
  return Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor);
}

/** Error code of brokers from 2.12: "duplicate message id is in process". Earlier ones answer with sequence 0. */
const ID_IN_PROCESS = 10158;

/** The answer of a stream to a message: the sequence number that it got, or the code of an error. */
export interface StreamAnswer {
  seq?: unknown;
  errorCode?: number | undefined;
}

/**
 * Whether a stream has the id of a message, but not the message. A stream with replicas notes the id before it stores the message. If its
 * leader changes in between, the message may be gone, and the stream takes a repetition for a duplicate all the same.
 */
export const hasOnlyId = ({ seq, errorCode }: StreamAnswer): boolean =>
  errorCode === undefined ? seq === 0 : errorCode === ID_IN_PROCESS;
