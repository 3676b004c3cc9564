import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { InputInterceptor } from './input.interceptor.js';
import { SlowBodies } from './slow-bodies.js';

/** What every route shares: who reads bodies, and who watches them. */
@Global()
@Module({
  providers: [SlowBodies, { provide: APP_INTERCEPTOR, useClass: InputInterceptor }],
  exports: [SlowBodies],
})
export class HttpModule {}
