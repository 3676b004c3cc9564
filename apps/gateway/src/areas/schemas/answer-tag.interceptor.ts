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

/** Characters of a tag: 96 bits, plenty to tell the states of one address apart. */
const TAG_CHARS = 16;

/** Gives an answer an `ETag` made from its text, so that who asks again with `If-None-Match` gets 304 while it is the same. */
@Injectable()
export class AnswerTagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<Reply>();
    return next.handle().pipe(map((answer: unknown) => tagged(answer, reply)));
  }
}

/** A list that is answered as it comes has no tag: nobody knows it whole. */
function tagged(answer: unknown, reply: Reply): unknown {
  if (answer instanceof StreamableFile) return answer;
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, TAG_CHARS);
  void reply.header('etag', `"${tag}"`);
  if (typeof answer !== 'string') void reply.type('application/json; charset=utf-8');
  return text;
}
