import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracesConfig } from './config.js';

export interface Traces {
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

/** Limits the wait at shutdown when the collector is away. */
const STOP_MS = 2_000;

/** Starts to record spans of this process and to send them by OTLP (JSON over HTTP). */
export function startSdk(process: string, config: TracesConfig): Traces {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': process }))
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = new OTLPTraceExporter();
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY });
  const provider = new TracerProvider({ resource, sampler: samplerOf(config), spanProcessors: [processor] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  const late = () => new Promise<void>((done) => setTimeout(done, STOP_MS).unref());
  return { stop: () => Promise.race([provider.shutdown().catch(() => undefined), late()]) };
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: TracesConfig): Sampler {
  const root = rootSampler(name.replace('parentbased_', ''), share);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, share: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler();
  return name === 'always_off' ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(share);
}
