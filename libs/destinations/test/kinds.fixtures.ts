import { sampleConfig, tracer } from '@weir/testing';
import type { DestinationKind } from '../src/kind.js';

/** A configuration of the kind, in which every secret is a tracer. */
export const configOf = (kind: DestinationKind) => sampleConfig(kind, (path) => tracer(path, 'one'));

/** Freezes a value at every depth, so that a change of it throws. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
