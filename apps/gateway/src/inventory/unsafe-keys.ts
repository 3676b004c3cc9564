import { invalidField } from '@weir/contracts';

/** Keys that could reach a prototype if later code merges or copies a configuration (security-reliability 3.5). */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

/** Throws `invalid` naming the key. `json-body.ts` has already bounded the depth. */
export function refuseUnsafeKeys(value: unknown, at = 'config'): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (UNSAFE.has(key)) throw invalidField(`${at}.${key}`, 'is not allowed as a key');
    refuseUnsafeKeys(item, `${at}.${key}`);
  }
}
