/** Keys that could reach a prototype if later code merges or copies a configuration (security-reliability 3.5). */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

/** The path of the first unsafe key, at any depth. Undefined if there is none. */
export function unsafeKey(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (UNSAFE.has(key)) return [key];
    const deeper = unsafeKey(item);
    if (deeper) return [key, ...deeper];
  }
  return undefined;
}
