import { createHash } from 'node:crypto';
import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { ETAGS_MAX, invalidField } from '@weir/contracts';
import type { FastifyInstance } from 'fastify';
import { map, type Observable } from 'rxjs';
import { z } from 'zod';
import { queryFlag } from './fields.js';
import type { Reply, Request } from './request.js';

/** One element of a list of entity tags, with the comma after it. Elements may be empty (RFC 9110 5.6.1.2 and 8.8.3). */
const ELEMENT = /(?:[ \t]*(?<weak>W\/)?"(?<tag>[\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y;
const TAGS_FORM = 'must be * or entity tags in double quotes';

/** Documents the header of a conditional change. */
export const IfMatchHeader = z.object({
  'If-Match': z.string().optional().meta({
    description:
      'Entity tags of the object, from the `ETag` of an answer or the `etag` in a list. If none of them is the current one, nothing changes and the answer is 412. Without the header there is no condition',
  }),
});

/**
 * The strong tags of `If-Match`, without quotes. Undefined without a condition and for `*`, which every existing object meets. A
 * weak tag is left out, because it never matches here (RFC 9110 13.1.1).
 */
export function ifMatchTags(header: string | undefined, field = 'If-Match'): string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const elements = elementsOf(header);
  if (!elements?.some(({ tag }) => tag !== undefined)) throw invalidField(field, TAGS_FORM);
  const tags = elements.flatMap(({ weak, tag }) => (weak === undefined && tag !== undefined ? [tag] : []));
  if (tags.length > ETAGS_MAX) throw invalidField(field, `must have at most ${ETAGS_MAX} entity tags`);
  return tags;
}

/** Undefined if the text is not a list of entity tags. A tag may hold a comma, so the text cannot be split at commas. */
function elementsOf(header: string): { weak?: string; tag?: string }[] | undefined {
  const found: { weak?: string; tag?: string }[] = [];
  for (let at = 0; at < header.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at;
    const { groups } = ELEMENT.exec(header) ?? {};
    if (!groups) return undefined;
    found.push(groups);
  }
  return found;
}

/** Whether `If-None-Match` names this tag. Ignores weakness and malformed tags. */
export function isKnown(header: string, etag: string): boolean {
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);
}

/** The condition of a change: `@IfMatch() ifMatch: string[] | undefined`. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext) =>
  ifMatchTags(context.switchToHttp().getRequest<Request>().headers['if-match']),
);

/** An object of a service, with its tag and without quotes. */
export interface Tagged {
  etag?: string | undefined;
}

/** A field of objects in lists. */
export const etag = z
  .string()
  .optional()
  .meta({
    description: 'In lists with `etags=true`: the entity tag of the object, for `If-Match`',
    examples: ['"nWqR0OJPKSDfWkR4YHGXyA"'],
  });
export const etags = queryFlag.meta({ description: '`true` shows the entity tag of each object, for `If-Match`' });

/** Objects of a list: with their tags as HTTP writes them if a caller wants them, and otherwise without. */
export const listed = <T extends Tagged>(objects: readonly T[], withTags: boolean): T[] =>
  objects.map(({ etag: tag, ...rest }) => ({ ...rest, ...(withTags && tag && { etag: quoted(tag) }) }) as T);

const quoted = (tag: string): string => `"${tag}"`;

/** Moves the tag of an answer's object to the header. The object is the answer, or is wrapped in its name. */
@Injectable()
export class EntityTagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<Reply>();
    return next.handle().pipe(map((answer: unknown) => withTagInHeader(answer, reply)));
  }
}

function withTagInHeader(answer: unknown, reply: Reply): unknown {
  if (!isObject(answer) || Array.isArray(answer) || answer instanceof StreamableFile) return answer;
  if (isTagged(answer)) return moved(answer, reply);
  const moving = Object.entries(answer).map(([name, value]) => [name, isTagged(value) ? moved(value, reply) : value]);
  return Object.fromEntries(moving);
}

function moved({ etag: tag, ...rest }: Tagged, reply: Reply): object {
  if (tag !== undefined) void reply.header('etag', quoted(tag));
  return rest;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isTagged = (value: unknown): value is Tagged => isObject(value) && 'etag' in value;

/** Answers 304 without a body if the client already has the current version. */
export function answerNotModified(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (request, reply, payload) => {
    const known = request.headers['if-none-match'];
    const etag = reply.getHeader('etag');
    if (known === undefined || typeof etag !== 'string') return payload;
    if (request.method !== 'GET' || reply.statusCode !== 200 || !isKnown(known, etag)) return payload;
    if (request.routeOptions.config.api?.etag === 'object') return payload;
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
    return next.handle().pipe(map((answer: unknown) => textWithTag(answer, reply)));
  }
}

/** A streamed list has no tag, because its whole text is never known. */
function textWithTag(answer: unknown, reply: Reply): unknown {
  if (answer instanceof StreamableFile) return answer;
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, TAG_CHARS);
  void reply.header('etag', `"${tag}"`);
  if (typeof answer !== 'string') void reply.type('application/json; charset=utf-8');
  return text;
}
