import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { InputInterceptor } from './input.interceptor.js';
import { SlowBodies } from './slow-bodies.js';
import { AuthThrottle } from './throttle.js';

/** Reads the bodies of controller routes, cuts slow bodies on all routes, and slows guesses at credentials. */
@Global()
@Module({
  providers: [SlowBodies, AuthThrottle, { provide: APP_INTERCEPTOR, useClass: InputInterceptor }],
  exports: [SlowBodies, AuthThrottle],
})
export class HttpModule {}
