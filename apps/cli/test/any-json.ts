import fc from 'fast-check';

/** JSON of any form, whose objects have some of these keys. `object` is such an object. */
export function anyJson(...keys: string[]) {
  const key = fc.constantFrom(...keys);
  return fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
  }));
}
