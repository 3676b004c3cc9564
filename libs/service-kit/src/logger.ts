import type { LoggerService } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import { requestContext } from '@weir/messaging';
import { pino } from 'pino';

export interface LoggerOptions {
  /** `<app>.<entry>`, on every line. */
  process: string;
  level: string;
}

/**
 * Writes JSON lines through Nest's `Logger`: `time, level, service, requestId, traceId, context, msg`. Code never logs bodies,
 * user code, tokens or configuration, so nothing needs redaction. A test searches the log of a whole run for them.
 */
export class JsonLogger implements LoggerService {
  private readonly pino;

  constructor({ process, level }: LoggerOptions) {
    this.pino = pino({
      level,
      base: { service: process },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => ({ ...requestContext.get(), ...traceId() }),
    });
  }

  log(message: unknown, context?: string): void {
    this.pino.info({ context }, text(message));
  }

  warn(message: unknown, context?: string): void {
    this.pino.warn({ context }, text(message));
  }

  debug(message: unknown, context?: string): void {
    this.pino.debug({ context }, text(message));
  }

  /** Nest passes `(message, stack?, context?)`. */
  error(message: unknown, ...rest: (string | undefined)[]): void {
    const context = rest.pop();
    this.pino.error({ context, ...(rest[0] && { stack: rest[0] }) }, text(message));
  }

  fatal(message: unknown, context?: string): void {
    this.pino.fatal({ context }, text(message));
  }
}

const traceId = () => {
  const traceId = trace.getActiveSpan()?.spanContext().traceId;
  return traceId && { traceId };
};

const text = (message: unknown) =>
  message instanceof Error
    ? (message.stack ?? message.message)
    : typeof message === 'string'
      ? message
      : JSON.stringify(message);
