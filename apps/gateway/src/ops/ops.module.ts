import { Module } from '@nestjs/common';
import { HttpDrain } from './http-drain.js';
import { HttpMetrics } from './http-metrics.js';
import { HttpTraces } from './http-traces.js';
import { OpsController } from './ops.controller.js';
import { Readiness } from './readiness.js';

@Module({ controllers: [OpsController], providers: [Readiness, HttpDrain, HttpMetrics, HttpTraces] })
export class OpsModule {}
