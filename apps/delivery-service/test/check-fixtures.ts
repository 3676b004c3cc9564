import type { NatsConnection } from '@nats-io/transport-node';
import { PatientRpcClient } from '@weir/testing';
import { AnswerLease } from '../src/checks/answer-lease.js';
import { SuppressionCheck } from '../src/checks/suppression-check.js';

/** A check that asks each time, because its lease never begins. */
export function checkOn(nats: NatsConnection): SuppressionCheck {
  const rpc = new PatientRpcClient(nats);
  return new SuppressionCheck(rpc, new AnswerLease(nats, rpc));
}
