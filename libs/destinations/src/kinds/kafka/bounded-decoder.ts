import { createRequire } from 'node:module';

interface Decoder {
  buffer: Buffer;
  offset: number;
  readArray(read: (decoder: Decoder) => unknown): unknown[];
}
interface Scram {
  hi(password: string, salt: Buffer, iterations: number, digest: object): Promise<Buffer>;
}

const ofWeir = createRequire(import.meta.url);
const { prototype } = ofWeir('kafkajs/src/protocol/decoder.js') as { prototype: Decoder };
const { SCRAM } = ofWeir('kafkajs/src/broker/saslAuthenticator/scram.js') as { SCRAM: Scram };

/** Brokers of a cluster, partitions of a topic. The client library keeps some kilobytes for each broker. */
const ELEMENTS_MAX = 4_096;
/** Kafka's own maximum is 16,384. Each one takes time of a thread that all workspaces share. */
const ITERATIONS_MAX = 100_000;

/** The client library makes room for as many elements as the answer declares: 256 MiB for four bytes. */
const { readArray } = prototype;
prototype.readArray = function (read) {
  if (this.buffer.readInt32BE(this.offset) > ELEMENTS_MAX) throw new RangeError('the answer has too many elements');
  return readArray.call(this, read);
};

/** A negative length of a text leads the client library back to bytes that it has read, again and again. */
const offsets = new WeakMap<Decoder, number>();
Object.defineProperty(prototype, 'offset', {
  get(this: Decoder): number {
    return offsets.get(this) ?? 0;
  },
  set(this: Decoder, offset: number): void {
    if (offset < this.offset) throw new RangeError('the answer has a negative length');
    offsets.set(this, offset);
  },
});

const { hi } = SCRAM;
SCRAM.hi = async (password, salt, iterations, digest) => {
  if (iterations > ITERATIONS_MAX) throw new RangeError('the broker asks for too many iterations');
  return hi(password, salt, iterations, digest);
};
