import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { connectNats } from '@weir/messaging';
import { until, useNats } from '@weir/testing';
import { exitWhenClosed } from '../src/broker-end.js';

const nats = useNats();

describe('a process whose connection to the broker closes', () => {
  const exits: unknown[] = [];

  beforeEach(() => {
    exits.length = 0;
    Logger.overrideLogger(false);
    jest.spyOn(process, 'exit').mockImplementation(((code: number) => void exits.push(code)) as never);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('ends with an error, so that its supervisor starts a new one', async () => {
    const connection = await connectNats(nats.url, 'process');
    exitWhenClosed(connection);
    await connection.close();
    await until('the process to end', () => exits.length > 0);
    expect(exits).toEqual([1]);
  });

  it('goes on with its shutdown, if that closed it', async () => {
    const connection = await connectNats(nats.url, 'process');
    const broker = exitWhenClosed(connection);
    broker.mayClose();
    await connection.drain();
    await connection.closed();
    await new Promise((done) => setImmediate(done));
    expect(exits).toEqual([]);
  });
});
