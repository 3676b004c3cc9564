import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import './idle-queue.js';

const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js');

const logger = { debug: () => undefined, warn: () => undefined };
const queue = () => new RequestQueue({ maxInFlightRequests: null, requestTimeout: 1_000, clientId: 'weir', logger });
const request = (correlationId: number, sendRequest: () => void) => ({
  ...{ expectResponse: true, sendRequest },
  entry: { correlationId, resolve: () => undefined, reject: () => undefined },
});

describe('the requests of a connection to a Kafka broker', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('leave no timer once they are answered', () => {
    const requests = queue();
    requests.push(request(1, () => undefined));
    requests.fulfillRequest({ correlationId: 1, payload: null, size: 0 });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are sent after the pause that the broker asks for', () => {
    const requests = queue();
    const send = jest.fn();
    requests.maybeThrottle(500);
    requests.push(request(1, send));
    jest.advanceTimersByTime(400);
    expect(send).not.toHaveBeenCalled();
    jest.advanceTimersByTime(200);
    expect(send).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
