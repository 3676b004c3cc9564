import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import './bounded-decoder.js';

const ofWeir = createRequire(import.meta.url);
const Decoder = ofWeir('kafkajs/src/protocol/decoder.js');
const { SCRAM, DIGESTS } = ofWeir('kafkajs/src/broker/saslAuthenticator/scram.js');

const bytes = (text: string) => new Decoder(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const texts = (decoder: { readString(): string }) => decoder.readString();

describe('an answer of a Kafka broker', () => {
  it('is read as before', () => {
    expect(bytes('00000002 0001 61 ffff').readArray(texts)).toEqual(['a', null]);
  });

  it('cannot make room for more elements than Weir takes', () => {
    expect(() => bytes('01ffffff').readArray(texts)).toThrow('too many elements');
  });

  it('cannot lead back to what was read', () => {
    expect(() => bytes('00000fff fffe').readArray(texts)).toThrow('negative length');
  });

  it('cannot keep a thread busy with a password', async () => {
    const hash = (iterations: number) => SCRAM.hi('hush', Buffer.from('salt'), iterations, DIGESTS.SHA256);
    await expect(hash(2_147_483_647)).rejects.toThrow('too many iterations');
    expect(await hash(4_096)).toHaveLength(32);
  });
});
