import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AppError, defineCall } from '@weir/contracts';
import { firstValueFrom } from 'rxjs';
import { z } from 'zod';
import { Handles, RpcErrorFilter } from './handles.js';
import { type WorkOwner, workOwner } from './work-owner.js';

const Greet = defineCall({
  subject: 'registry.greeting.make.v1',
  request: z.object({ name: z.string().min(1), loud: z.boolean().default(false) }),
  reply: z.object({ text: z.string() }),
  deadlineMs: 100,
  example: { request: { name: 'Ada' }, reply: { text: 'Hello Ada' } },
});

class Greeter {
  constructor(private readonly word: string) {}

  @Handles(Greet)
  async greet({ name, loud }: { name: string; loud: boolean }) {
    return { text: `${this.word} ${loud ? name.toUpperCase() : name}` };
  }
}

const call = (request: unknown) => new Greeter('Hello').greet(request as { name: string; loud: boolean });

describe('@Handles', () => {
  it('hands the method what the schema made of the request', async () => {
    expect(await call({ name: 'Ada', unknown: 1 })).toEqual({ text: 'Hello Ada' });
  });

  it('refuses what the schema does not take, by field', async () => {
    await expect(call({ name: '' })).rejects.toMatchObject({
      name: 'AppError',
      code: 'invalid',
      details: { name: expect.any(String) },
    });
  });
});

describe('the work of a call', () => {
  const call = (isUrgent?: boolean) =>
    defineCall({
      subject: 'registry.owner.say.v1',
      request: z.object({ workspaceId: z.string().optional() }),
      reply: z.object({ owner: z.custom<WorkOwner>().optional() }),
      ...{ deadlineMs: 100, example: { request: {}, reply: {} }, ...(isUrgent !== undefined && { isUrgent }) },
    });
  const [Plain, Urgent] = [call(), call(true)];
  class Owners {
    @Handles(Plain)
    async plain(_: { workspaceId?: string | undefined }) {
      return { owner: workOwner.get() };
    }

    @Handles(Urgent)
    async urgent(_: { workspaceId?: string | undefined }) {
      return { owner: workOwner.get() };
    }
  }
  const owners = new Owners();

  it('is for the workspace that the request names, urgent if the call says so', async () => {
    expect((await owners.plain({ workspaceId: 'w' })).owner).toEqual({ workspaceId: 'w', isUrgent: false });
    expect((await owners.urgent({ workspaceId: 'w' })).owner).toEqual({ workspaceId: 'w', isUrgent: true });
    expect((await owners.plain({})).owner).toBeUndefined();
  });
});

Logger.overrideLogger(false);
const sent = (error: unknown) => firstValueFrom(new RpcErrorFilter().catch(error)).catch((body: unknown) => body);

const ofDriver = (code: string) =>
  Object.assign(new Error('query failed'), { driverError: Object.assign(new Error('the database'), { code }) });

describe('RpcErrorFilter', () => {
  it('sends refusals as they are', async () => {
    expect(await sent(new AppError('invalid', 'name is empty', { name: 'empty' }))).toEqual({
      code: 'invalid',
      message: 'name is empty',
      details: { name: 'empty' },
    });
  });

  it.each([
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a connection that was lost', new Error('Connection terminated unexpectedly')],
    ['a database that refuses connections', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['a database that shuts down', ofDriver('57P01')],
    ['a database with too many clients', ofDriver('53300')],
  ])('tells the caller to try again after %s', async (_, error) => {
    expect(await sent(error)).toMatchObject({ code: 'unavailable' });
  });

  it.each([
    ['a broken query', ofDriver('42601')],
    ['a fault of the code', new TypeError('x is not a function')],
    ['what is no error', 'text'],
  ])('shows nothing of %s', async (_, error) => {
    expect(await sent(error)).toEqual({ code: 'internal', message: 'Internal error' });
  });
});
