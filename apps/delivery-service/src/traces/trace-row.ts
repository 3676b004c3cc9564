import { hash } from 'node:crypto';
import type { TraceStep } from '@weir/contracts';
import type { Route } from '../inventory/routes.js';

/** The history of an event before it was routed. */
export interface Arrival {
  step: 'accepted' | 'suppressed';
  /** Missing for suppressed users, because it may contain a user id. */
  messageId?: string | undefined;
  eventType?: string | undefined;
  eventName?: string | undefined;
  receivedAt: string;
  /** Missing where the event is not known any more. */
  bytes?: number;
  routes?: Route[];
}

/** A step at a destination. The event key finds its dead letter. */
export type StoredStep = TraceStep & { eventKey: string };

/** One row of `traces`. */
export interface TraceRow {
  workspaceId: string;
  sourceId: string;
  /** Missing for an arrival. */
  destinationId?: string;
  messageKey: string;
  userKey?: string | undefined;
  /** Missing where the row holds nothing of a user. */
  matchKeys?: string[] | undefined;
  /** Time of the intake, ISO 8601. */
  receivedAt: string;
  share: number;
  step: Arrival | StoredStep;
}

/** 128 bits of SHA-256, in hexadecimal digits. Message ids have any length and may contain a user id. */
export const messageKeyOf = (messageId: string): string => hash('sha256', messageId).slice(0, 32);
