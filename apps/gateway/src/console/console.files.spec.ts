import { expect, it } from '@jest/globals';
import type { HttpAdapterHost } from '@nestjs/core';
import { fastify } from 'fastify';
import type { Config } from '../config.js';
import { ConsoleFiles } from './console.files.js';

it('are missed with a sentence where nobody built them', async () => {
  const server = fastify();
  const host = { httpAdapter: { getInstance: () => server } } as unknown as HttpAdapterHost;
  await new ConsoleFiles(host, { console: { dir: '/nowhere' } } as Config).onModuleInit();
  const answer = await server.inject('/console/live');
  expect(answer.json().message).toMatch(/^The console is not built: run npm run build/);
  await server.close();
});
