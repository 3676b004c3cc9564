type BufferMaker = (this: unknown, length?: number) => ArrayBuffer;

/**
 * Removes `maxByteLength`. The memory of a growable buffer does not count against the isolate's limit. A single line of user code
 * could therefore take all memory of the machine.
 */
export function fixBuffers(scope: Record<string, unknown>): void {
  const Original = ArrayBuffer;
  const { construct, defineProperty } = Reflect;
  const { prototype } = Original;
  for (const name of ['resize', 'resizable', 'maxByteLength'])
    delete (prototype as unknown as Record<string, unknown>)[name];
  const Fixed = function (length) {
    if (!new.target) throw new TypeError("Constructor ArrayBuffer requires 'new'");
    return construct(Original, [length], new.target);
  } as BufferMaker;
  defineProperty(Fixed, 'name', { value: 'ArrayBuffer', configurable: true });
  for (const key of ['isView', Symbol.species] as const) {
    const descriptor = Object.getOwnPropertyDescriptor(Original, key);
    if (descriptor) defineProperty(Fixed, key, descriptor);
  }
  defineProperty(Fixed, 'prototype', { value: prototype, writable: false });
  defineProperty(prototype, 'constructor', { value: Fixed, writable: true, configurable: true });
  defineProperty(scope, 'ArrayBuffer', { value: Fixed, writable: true, configurable: true });
}
