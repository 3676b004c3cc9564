import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { defineCall } from '@weir/contracts';
import { z } from 'zod';
import { Handles } from './handles.js';

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
