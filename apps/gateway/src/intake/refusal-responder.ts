import { Injectable, Logger } from '@nestjs/common';
import { isAppError } from '@weir/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthThrottle } from '../auth/throttle.js';
import { errorAnswer } from '../http/error-answer.js';
import { toProblem } from '../http/to-problem.js';
import { refusals } from './refusals.js';
import { credentialOf } from './write-key.js';

/** Answers refusals in the plain text of the intake. */
@Injectable()
export class RefusalResponder {
  private readonly logger = new Logger(RefusalResponder.name);

  constructor(private readonly throttle: AuthThrottle) {}

  async answer(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const refusal = await this.throttled(error, request);
    this.note(refusal);
    const { status, headers, body } = errorAnswer(toProblem(refusal), 'intake');
    return reply.status(status).headers(headers).send(body);
  }

  /** Logs 500 only. Without a broker, a 503 would fill the log thousands of times a second. Metrics count them instead. */
  note(error: unknown): void {
    if (errorAnswer(toProblem(error), 'intake').status !== 500) return;
    this.logger.error(error instanceof Error ? error.stack : String(error));
  }

  /** Slows write keys that keep failing, like all failing credentials. */
  private async throttled(error: unknown, request: FastifyRequest): Promise<unknown> {
    const credential = credentialOf(request);
    if (!isAppError(error) || error.code !== 'unauthenticated' || credential === undefined) return error;
    try {
      await this.throttle.slow(credential, request.ip);
      return error;
    } catch {
      return refusals.tooManyRequests();
    }
  }
}
