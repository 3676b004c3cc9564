import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { PATIENCE_MS } from './patience.js';

/** A busy broker answers later than the 5 s that its client waits by default. */
const PATIENT = { timeout: PATIENCE_MS };

export const patientJetStream = (nats: NatsConnection): JetStreamClient => jetstream(nats, PATIENT);

export const patientManager = (nats: NatsConnection): Promise<JetStreamManager> => jetstreamManager(nats, PATIENT);
