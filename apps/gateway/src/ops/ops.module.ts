import { Module } from '@nestjs/common';
import { HttpDrain } from './http-drain.js';
import { HttpMetrics, HttpTraces } from './http-telemetry.js';
import { OpsController, Readiness } from './ops.controller.js';

@Module({ controllers: [OpsController], providers: [Readiness, HttpDrain, HttpMetrics, HttpTraces] })
export class OpsModule {}
