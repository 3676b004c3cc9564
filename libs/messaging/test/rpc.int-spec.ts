import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppError, defineCall, PAYLOAD_BYTES_MAX } from '@weir/contracts';
import { PATIENCE_MS, useNats } from '@weir/testing';
import { z } from 'zod';
import { Handles, JsonText, RpcClient, RpcErrorFilter, RpcServer, requestContext } from '../src/index.js';

const nats = useNats();

const call = <Q extends z.ZodType, P extends z.ZodType>(verb: string, request: Q, reply: P, deadlineMs = PATIENCE_MS) =>
  defineCall({ subject: `registry.probe.${verb}.v1`, request, reply, deadlineMs, example: {} as never });

const Echo = call('echo', z.object({ text: z.string() }), z.object({ text: z.string(), requestId: z.string() }));
const Refuse = call('refuse', z.object({}), z.object({}));
const Break = call('break', z.object({}), z.object({}));
const Hang = call('hang', z.object({}), z.object({}), 200);
const Large = call('large', z.object({}), z.object({ text: z.string() }));
const Absent = call('absent', z.object({}), z.object({}));

@Controller()
class ProbeController {
  @Handles(Echo)
  async echo({ text }: { text: string }) {
    return { text, requestId: requestContext.get()?.requestId ?? '' };
  }

  @Handles(Refuse)
  async refuse(): Promise<Record<string, never>> {
    throw new AppError('conflict', 'taken', { name: 'is taken' });
  }

  @Handles(Break)
  async break(): Promise<Record<string, never>> {
    throw new Error('password=hush');
  }

  @Handles(Hang)
  async hang(): Promise<Record<string, never>> {
    return new Promise((done) => setTimeout(done, 2 * Hang.deadlineMs, {}));
  }

  @Handles(Large)
  async large() {
    return { text: 'x'.repeat(PAYLOAD_BYTES_MAX) };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

describe('calls', () => {
  let service: INestMicroservice;
  let client: RpcClient;

  beforeAll(async () => {
    const strategy = new RpcServer(() => nats.connection, 'registry');
    service = await NestFactory.createMicroservice(ProbeModule, { strategy, logger: false });
    service.useGlobalFilters(new RpcErrorFilter());
    await service.listen();
    client = new RpcClient(nats.connection);
  });

  afterAll(() => service.close());

  const codeOf = (sending: Promise<unknown>) => sending.then(() => 'none').catch((error: AppError) => error.code);

  it('carry the request id of the caller', async () => {
    const reply = await requestContext.run({ requestId: 'r-1' }, () => client.send(Echo, { text: 'a' }));
    expect(reply).toEqual({ text: 'a', requestId: 'r-1' });
  });

  it('take a request that is JSON already', async () => {
    const text = 'a "quoted" ü';
    const request = new JsonText(JSON.stringify({ text }));
    expect(await client.send(Echo, request)).toMatchObject({ text });
  });

  it('rebuild the error that the service threw', async () => {
    await expect(client.send(Refuse, {})).rejects.toMatchObject({
      code: 'conflict',
      message: 'taken',
      details: { name: 'is taken' },
    });
  });

  it('tell nothing of an unexpected failure', async () => {
    await expect(client.send(Break, {})).rejects.toMatchObject({ code: 'internal', message: 'Internal error' });
  });

  it.each([
    ['invalid', () => client.send(Echo, { text: 1 } as never)],
    ['timeout', () => client.send(Hang, {})],
    ['unavailable', () => client.send(Absent, {})],
    ['too_large', () => client.send(Large, {})],
    ['too_large', () => client.send(Echo, { text: 'x'.repeat(PAYLOAD_BYTES_MAX) })],
  ])('end as %s', async (code, send) => {
    expect(await codeOf(send())).toBe(code);
  });

  it('wait a moment for a service that is just starting', async () => {
    const sending = client.send(Absent, {});
    setTimeout(() => {
      nats.connection.subscribe(Absent.subject, {
        max: 1,
        callback: (_error, message) => void message.respond(JSON.stringify({ response: {}, isDisposed: true })),
      });
    }, 300);
    expect(await sending).toEqual({});
  });
});
