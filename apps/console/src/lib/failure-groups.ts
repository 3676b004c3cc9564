export type Stage = 'queue' | 'user_transform' | 'dest_transform' | 'delivery';

interface Failed {
  status: 'retrying' | 'dead';
  stage: Stage;
  reason: string;
  responseStatus?: number | undefined;
}

export interface FailureGroup<Delivery> {
  key: string;
  reason: string;
  stage: Stage;
  status: Failed['status'];
  deliveries: Delivery[];
}

export const STAGES: Record<Stage, string> = {
  queue: 'before your code',
  user_transform: 'in your code',
  dest_transform: "in the destination's format",
  delivery: 'at the destination',
};

/** Numbers and ids differ from event to event. The reason is the same without them. */
const VARYING = /\b[0-9a-f]{8,}\b|\d+/gi;

const sameReason = (reason: string): string => reason.slice(0, 200).replace(VARYING, '#');

/** Failures with the same reason in one group, the largest first. */
export function groupsOf<Delivery extends Failed>(deliveries: readonly Delivery[]): FailureGroup<Delivery>[] {
  const groups = new Map<string, FailureGroup<Delivery>>();
  for (const delivery of deliveries) {
    const { status, stage, reason, responseStatus } = delivery;
    const key = `${status} ${stage} ${responseStatus ?? ''} ${sameReason(reason)}`;
    const group = groups.get(key);
    if (group) group.deliveries.push(delivery);
    else groups.set(key, { key, status, stage, reason: titleOf(reason, responseStatus), deliveries: [delivery] });
  }
  return [...groups.values()].sort((one, other) => other.deliveries.length - one.deliveries.length);
}

const titleOf = (reason: string, responseStatus: number | undefined): string =>
  responseStatus ? `HTTP ${responseStatus}: ${reason}` : reason;
