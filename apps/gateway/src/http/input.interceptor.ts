import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import { during } from '@weir/messaging';
import type { Observable } from 'rxjs';
import { z } from 'zod';
import { type ApiSpec, apiOf } from './api.js';
import { AREA_RULES, type Area } from './areas.js';
import { type Hold, InFlightBytes } from './in-flight.js';
import { readJsonBody } from './json-body.js';
import type { Principal } from './principal.js';
import { readBody } from './read-body.js';
import { clientNetwork, type Reply, type Request } from './request.js';
import { SlowBodies } from './slow-bodies.js';
import { unsupportedEncoding, unsupportedMediaType } from './status.js';
import { parseBody, parseParams, parseQuery } from './validate.js';

/** Bytes of control plane bodies in memory at a time. The intake has its own limit. */
const CONTROL_BYTES_MAX = 16_777_216;
/** Holds the bodies of the operator, which belong to no workspace. */
const OPERATOR = 'operator';
/** Bytes of bodies in memory at a time whose senders nobody knows yet. They take nothing from those of known callers. */
const STRANGERS_BYTES_MAX = 4_194_304;
/** Most bytes of one address. A body that signs in has a hundred or so. */
const STRANGER_BYTES_MAX = 16_384;

/**
 * Replaces params, query and body with the output of the route's schemas, so that `@Param()`, `@Query()` and `@Body()` return
 * checked values. Runs after the guards: unauthorized callers learn nothing about bodies, and their bodies are not read.
 */
@Injectable()
export class InputInterceptor implements NestInterceptor {
  private readonly inFlight = new InFlightBytes(CONTROL_BYTES_MAX, noRoom);
  private readonly ofStrangers = new InFlightBytes(STRANGERS_BYTES_MAX, noRoomForStrangers, STRANGER_BYTES_MAX);

  constructor(private readonly slow: SlowBodies) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const api = apiOf(context.getHandler());
    const http = context.switchToHttp();
    if (api) await this.takeInput(api, http.getRequest<Request>(), http.getResponse<Reply>());
    return next.handle();
  }

  private async takeInput(api: ApiSpec, request: Request, reply: Reply): Promise<void> {
    during('http.input', () => checkPathAndQuery(api, request));
    const { body } = api;
    const bytes = body && (await this.bytesOf(api.area, request, reply));
    const sent = bytes && (await readJsonBody(bytes));
    request.body = body && during('http.input', () => parseBody(body, sent));
  }

  /** Undefined if there is no body. The schema decides whether that is allowed. */
  private async bytesOf(area: Area, request: Request, reply: Reply): Promise<Buffer | undefined> {
    const { headers, raw, ip: address } = request;
    if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return undefined;
    const { 'content-type': type = 'application/json', 'content-encoding': encoding = 'identity' } = headers;
    if (encoding !== 'identity') throw unsupportedEncoding();
    if (!isJson(type)) throw unsupportedMediaType();
    const hold = this.holdFor(request);
    // Holds the bytes until the answer is out, because the handler works on data made from them.
    reply.raw.once('close', hold.release);
    const { bodyBytesMax: bytesMax } = AREA_RULES[area];
    const refusals = { tooLarge: (bytes?: number) => tooLarge(bytesMax, bytes), unreadableBody };
    return readBody(raw, { bytesMax, hold, address, slow: this.slow, refusals });
  }

  private holdFor(request: Request & { user?: Principal | true }): Hold {
    const { user, ip } = request;
    if (user === undefined) return this.ofStrangers.open({ workspaceId: clientNetwork(ip) });
    return this.inFlight.open({ workspaceId: user === true ? OPERATOR : user.workspaceId });
  }
}

const NO_PARAMETERS = z.object({});

function checkPathAndQuery(api: ApiSpec, request: Request): void {
  request.params = api.params ? parseParams(api.params, request.params) : {};
  const isOpen = api.isQueryOpen ?? AREA_RULES[api.area].isQueryOpen;
  request.query = parseQuery(api.query ?? NO_PARAMETERS, request.query as Record<string, unknown>, isOpen);
}

const tooLarge = (bytesMax: number, bytes?: number) =>
  new AppError(
    'too_large',
    `The body is larger than the ${bytesMax} bytes that this path takes${bytes === undefined ? '' : `: it has ${bytes}`}`,
  );
const unreadableBody = () => new AppError('invalid', 'The body ended early');
const noRoom = () =>
  new AppError('unavailable', 'This workspace sends too many large bodies at once. Try again with fewer at a time');
const noRoomForStrangers = () =>
  new AppError('unavailable', 'Too many people sign in at once from this address. Try again in a moment');

function isJson(contentType: string): boolean {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}
