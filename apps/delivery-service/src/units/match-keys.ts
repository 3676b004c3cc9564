import { hash } from 'node:crypto';
import { identifiersOf, type JsonObject } from '@weir/contracts';

/** 64 bits of SHA-256 as a decimal number, because that is the smallest key that still names one identifier. */
export const identifierKeyOf = (identifier: string): string =>
  hash('sha256', identifier, 'buffer').readBigInt64BE().toString();

/** Digests of everything by which regulations find the event. */
export const matchKeysOf = (event: JsonObject): string[] => identifiersOf(event).map(identifierKeyOf);
