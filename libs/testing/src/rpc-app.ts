import { type DynamicModule, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NATS, RpcErrorFilter, RpcServer } from '@weir/messaging';

/** Starts a process that answers calls inside the test. `queue` is the name of its app. */
export async function startRpcApp(module: DynamicModule, queue: string): Promise<INestMicroservice> {
  @Module({ imports: [module] })
  class App {}
  const created: { app?: INestMicroservice } = {};
  const strategy = new RpcServer(() => {
    if (!created.app) throw new Error('the application is not there yet');
    return created.app.get(NATS, { strict: false });
  }, queue);
  created.app = await NestFactory.createMicroservice(App, { strategy, logger: false });
  created.app.useGlobalFilters(new RpcErrorFilter());
  await created.app.listen();
  return created.app;
}
