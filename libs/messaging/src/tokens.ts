/** Inject token of the process's only NATS connection. */
export const NATS = Symbol('NATS');
