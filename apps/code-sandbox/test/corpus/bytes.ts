import { type Attack, each, type Family } from './attack.js';

const buffers: Attack[] = [
  [
    'a buffer that is taken away from its view',
    each(
      'const b = new ArrayBuffer(8); const v = new Uint8Array(b); b.transfer(); return { n: v.length, v: v[0] ?? null };',
    ),
    { output: { n: 0, v: null } },
  ],
  [
    'a buffer of a fixed length by another way',
    each('return { can: new ArrayBuffer(8).transferToFixedLength(16).resizable ?? "no" };'),
    { output: { can: 'no' } },
  ],
  [
    'the growing maker, by reflection',
    each('return { n: Reflect.construct(ArrayBuffer, [8, { maxByteLength: 64 }], Object).maxByteLength ?? 0 };'),
    { output: { n: 0 } },
  ],
  [
    'the growing maker, by a species',
    each(
      'class B extends ArrayBuffer { static get [Symbol.species]() { return function (n) { return new ArrayBuffer(n, { maxByteLength: 2 ** 30 }); }; } } return { can: typeof new B(8).slice(0).resize };',
    ),
    { output: { can: 'undefined' } },
  ],
  [
    'the growing maker, by its own species',
    each(
      'const { [Symbol.species]: S } = ArrayBuffer; return { same: S === ArrayBuffer, can: typeof new S(8, { maxByteLength: 16 }).resize };',
    ),
    { output: { same: true, can: 'undefined' } },
  ],
  [
    'the growing maker, by a descriptor',
    each(
      'return { makers: new Set([ArrayBuffer, ArrayBuffer.prototype.constructor, Object.getOwnPropertyDescriptor(globalThis, "ArrayBuffer").value, new Uint8Array(1).buffer.constructor]).size };',
    ),
    { output: { makers: 1 } },
  ],
  [
    'a maker that is called without new',
    each('return { a: ArrayBuffer(8) };'),
    { failing: "TypeError: Constructor ArrayBuffer requires 'new'" },
  ],
  [
    'a length that is asked',
    each('return { n: new ArrayBuffer({ valueOf: () => 8 }).byteLength };'),
    { output: { n: 8 } },
  ],
  ['a length beyond', each('new ArrayBuffer(2 ** 53);'), { failing: 'RangeError: ' }],
  [
    'a slice whose maker gives too little',
    each(
      'const b = new ArrayBuffer(8); b.constructor = { [Symbol.species]: function () { return new ArrayBuffer(1); } }; b.slice(0);',
    ),
    { failing: 'TypeError: ' },
  ],
  [
    'a slice whose maker gives the same',
    each('const b = new ArrayBuffer(8); b.constructor = { [Symbol.species]: function () { return b; } }; b.slice(0);'),
    { failing: 'TypeError: ' },
  ],
];

const views: Attack[] = [
  [
    'a view that is filled while it loses its bytes',
    each(
      'const v = new Uint8Array(8); v.fill({ valueOf() { v.buffer.transfer(); return 1; } }); return { n: v.length };',
    ),
    { failing: 'TypeError: Cannot perform %TypedArray%.prototype.fill on a detached ArrayBuffer' },
  ],
  [
    'a view that is sorted while it loses its bytes',
    each(
      'const v = new Uint8Array([3, 2, 1]); v.sort(() => { try { v.buffer.transfer(); } catch {} return 1; }); return { n: v.length };',
    ),
    { output: { n: 0 } },
  ],
  [
    'a view that is set from itself',
    each('const v = new Uint8Array([1, 2, 3]); v.set(v.subarray(0, 2), 1); return { a: [...v] };'),
    { output: { a: [1, 1, 2] } },
  ],
  [
    'a view from an iterator that takes its bytes',
    each(
      'const v = new Uint8Array(4); return { a: [...Uint8Array.from({ *[Symbol.iterator]() { v.buffer.transfer(); yield v.length; } })] };',
    ),
    { output: { a: [0] } },
  ],
  [
    'an index beyond',
    each(
      'const v = new Uint8Array(4); v[-1] = 1; v[2 ** 32] = 1; v["1.5"] = 1; return { keys: Object.keys(v).length };',
    ),
    { output: { keys: 4 } },
  ],
  [
    'an offset beyond',
    each('new Uint32Array(new ArrayBuffer(8), 6);'),
    { failing: 'RangeError: start offset of Uint32Array should be a multiple of 4' },
  ],
  [
    'a data view that is asked beyond',
    each('new DataView(new ArrayBuffer(8)).getFloat64(1);'),
    { failing: 'RangeError: Offset is outside the bounds of the DataView' },
  ],
  [
    'a data view of bytes that are gone',
    each(
      'const d = new DataView(new ArrayBuffer(8)); d.setUint8({ valueOf() { d.buffer.transfer(); return 0; } }, 1);',
    ),
    { failing: 'TypeError: ' },
  ],
  [
    'a map whose species gives a smaller view',
    each(
      'class V extends Uint8Array { static get [Symbol.species]() { return function () { return new Uint8Array(1); }; } } new V(8).map((x) => x);',
    ),
    { failing: 'TypeError: ' },
  ],
  [
    'subarrays without end',
    each('let v = new Uint8Array(1e6); for (let i = 0; i < 1e5; i += 1) v = v.subarray(1); return { n: v.length };'),
    { output: { n: 900_000 } },
  ],
  [
    'fresh memory that holds old text',
    each(
      'const a = Array.from({ length: 64 }, () => new Uint8Array(65536)); return { clean: a.every((v) => v.every((b) => b === 0)) };',
    ),
    { output: { clean: true } },
  ],
];

/** Functions that Weir wrote, with arguments that change while they read them. */
export const bytes: Family = { name: 'bytes and built-ins', memoryMb: 48, attacks: [...buffers, ...views] };
