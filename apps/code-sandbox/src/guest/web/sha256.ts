/** Fractional parts of roots of primes (FIPS 180-4, sections 4.2.2 and 5.3.3). */
function fractions(root: (prime: number) => number, count: number): Uint32Array {
  const words: number[] = [];
  for (let candidate = 2; words.length < count; candidate += 1) {
    let divisor = 2;
    while (divisor * divisor <= candidate && candidate % divisor !== 0) divisor += 1;
    if (divisor * divisor > candidate) words.push((root(candidate) % 1) * 2 ** 32);
  }
  return Uint32Array.from(words);
}

const BLOCK = 64;
let constants: { initial: Uint32Array; rounds: Uint32Array } | undefined;
/** Computed on first use because most programs hash nothing. */
const constantsOnce = () => {
  constants ??= { initial: fractions(Math.sqrt, 8), rounds: fractions(Math.cbrt, 64) };
  return constants;
};

const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** Returns the 32 bytes of SHA-256. */
export function sha256Bytes(message: Uint8Array): Uint8Array {
  const { initial, rounds } = constantsOnce();
  const state = initial.slice();
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  const schedule = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += BLOCK) addBlock(state, view, block, schedule, rounds);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    digest.setUint32(index * 4, word);
  });
  return new Uint8Array(digest.buffer);
}

function addBlock(state: Uint32Array, view: DataView, at: number, w: Uint32Array, k: Uint32Array): void {
  const word = (index: number) => w[index] ?? 0;
  for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const early = word(i - 15);
    const late = word(i - 2);
    const s0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const s1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    w[i] = word(i - 16) + s0 + word(i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const t1 = (h + big1 + ((e & f) ^ (~e & g)) + (k[i] ?? 0) + word(i)) | 0;
    const big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = (state[index] ?? 0) + value;
  });
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
