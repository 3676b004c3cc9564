import { invalidField } from '@weir/contracts';

/** Keys that could reach a prototype when a configuration is merged or copied somewhere behind (security-reliability 3.5). */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

/** Throws `invalid` naming the key. The depth of a body is bounded before (`json-body.ts`). */
export function refuseUnsafeKeys(value: unknown, at = 'config'): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (UNSAFE.has(key)) throw invalidField(`${at}.${key}`, 'is not allowed as a key');
    refuseUnsafeKeys(item, `${at}.${key}`);
  }
}
