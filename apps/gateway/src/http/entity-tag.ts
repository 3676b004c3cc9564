import { createHash } from 'node:crypto';
import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { invalidField } from '@weir/contracts';
import type { FastifyInstance } from 'fastify';
import { map, type Observable } from 'rxjs';
import { z } from 'zod';
import type { Reply, Request } from './request.js';

/** Matches `W/"abc"` and `"abc"` (RFC 9110 8.8.3). */
const TAG = /^(W\/)?"([\x21\x23-\x7e]*)"$/;

/** Documents the header of a conditional change. */
export const IfMatchHeader = z.object({
  'If-Match': z
    .string()
    .optional()
    .meta({ description: 'Entity tags. If none of them is the current one, the answer is 412' }),
});

/** The strong tags of `If-Match`. Undefined without a condition and for `*`, which every existing object meets. */
export function ifMatchTags(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').flatMap((part) => {
    const [, weak, tag] = TAG.exec(part.trim()) ?? [];
    if (tag === undefined) throw invalidField('If-Match', 'must be * or entity tags in double quotes');
    return weak === undefined ? [tag] : [];
  });
}

/** Whether `If-None-Match` names this tag. Ignores weakness and malformed tags. */
export function isKnown(header: string, etag: string): boolean {
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);
}

/** The condition of a change: `@IfMatch() ifMatch: string[] | undefined`. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext) =>
  ifMatchTags(context.switchToHttp().getRequest<Request>().headers['if-match']),
);

/** Moves `etag` from the handler's answer to the header. */
@Injectable()
export class EntityTagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<Reply>();
    return next.handle().pipe(map((answer: unknown) => withTagInHeader(answer, reply)));
  }
}

function withTagInHeader(answer: unknown, reply: Reply): unknown {
  if (typeof answer !== 'object' || answer === null || !('etag' in answer)) return answer;
  const { etag, ...rest } = answer;
  if (typeof etag === 'string') void reply.header('etag', `"${etag}"`);
  return rest;
}

/** Answers 304 without a body if the client already has the current version. */
export function answerNotModified(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (request, reply, payload) => {
    const known = request.headers['if-none-match'];
    const etag = reply.getHeader('etag');
    if (known === undefined || typeof etag !== 'string') return payload;
    if (request.method !== 'GET' || reply.statusCode !== 200 || !isKnown(known, etag)) return payload;
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return null;
  });
}

/** Characters of a tag. 96 bits suffice to tell the states of one address apart. */
const TAG_CHARS = 16;

/**
 * Sets an `ETag` computed from the answer's text. A repeated request with `If-None-Match` then gets 304 while the text is the
 * same.
 */
@Injectable()
export class AnswerTagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<Reply>();
    return next.handle().pipe(map((answer: unknown) => tagged(answer, reply)));
  }
}

/** A streamed list has no tag, because its whole text is never known. */
function tagged(answer: unknown, reply: Reply): unknown {
  if (answer instanceof StreamableFile) return answer;
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, TAG_CHARS);
  void reply.header('etag', `"${tag}"`);
  if (typeof answer !== 'string') void reply.type('application/json; charset=utf-8');
  return text;
}
