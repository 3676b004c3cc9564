import { createHash } from 'node:crypto';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import type { Reply } from '../../http/request.js';

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
