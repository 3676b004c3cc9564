/**
 * The oldest broker that keeps every message when it is killed. Servers of the 2.9 line may read a consumer's half-written state
 * after a kill, and then remove messages that other consumers still wait for (deploy/README.md, Durability).
 */
export const RELIABLE_BROKER = [2, 10] as const;

/** Whether a text with a version, such as `nats-server: v2.9.10` or `2.9.10`, names this version or a later one. */
export function isBrokerAtLeast([wantedMajor = 0, wantedMinor = 0]: readonly number[], text: string): boolean {
  const [, major, minor] = text.match(/\bv?(\d+)\.(\d+)\./) ?? [];
  return Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor);
}
