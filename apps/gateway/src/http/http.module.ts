import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { InputInterceptor } from './input.interceptor.js';
import { SlowBodies } from './slow-bodies.js';

/** Reads the bodies of controller routes, and cuts slow bodies on all routes. */
@Global()
@Module({
  providers: [SlowBodies, { provide: APP_INTERCEPTOR, useClass: InputInterceptor }],
  exports: [SlowBodies],
})
export class HttpModule {}
