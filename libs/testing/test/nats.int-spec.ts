import { describe, expect, it } from '@jest/globals';
import { connectNats, EVENTS_ACCEPTED, EVENTS_RAW } from '@weir/messaging';
import { patientManager } from '@weir/testing';
import { useNats } from '../src/index.js';

describe('useNats', () => {
  const nats = useNats();

  it('has the streams and their consumers', async () => {
    const manager = await patientManager(nats.connection);
    expect((await manager.streams.info(EVENTS_RAW)).state.consumer_count).toBe(16);
    expect((await manager.streams.info(EVENTS_ACCEPTED)).state.consumer_count).toBe(32);
  });

  it('comes back with its store after a kill', async () => {
    const manager = await patientManager(nats.connection);
    await manager.streams.add({ name: 'KEPT', subjects: ['kept.>'] });
    await nats.restart();
    expect((await manager.streams.info('KEPT')).config.subjects).toEqual(['kept.>']);
  });

  it('keeps strangers out', async () => {
    const stranger = new URL(nats.url);
    stranger.password = 'guess';
    await expect(connectNats(stranger.href, 'stranger')).rejects.toThrow(/authorization violation/i);
  });
});
