import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ErrorCode } from '@weir/contracts';
import type { z } from 'zod';
import type { Area } from './areas.js';

/**
 * What a token's role must allow (architecture section 6). Only areas that take access tokens look at it;
 * the admin pair and a write key have no roles.
 */
export type Access = 'read' | 'write' | 'test' | 'tokens' | 'none';

/** Everything about one route: what checks it, and what documents it. */
export interface ApiSpec<Reply extends z.ZodType = z.ZodType> {
  summary: string;
  description?: string;
  area: Area;
  access: Access;
  /** Path parameters. What does not parse is an unknown id: 404. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Headers that the route reads beside those of all routes. For the document: the handler checks them. */
  headers?: z.ZodObject;
  /** Whether parameters beyond `query` are let pass; the area says what holds without it. */
  isQueryOpen?: boolean;
  /** JSON body. Without it a body is neither read nor refused. */
  body?: z.ZodType;
  /** For the document, of a body whose fields are all optional: the route refuses one that has none of them, and no body. */
  needsBody?: boolean;
  reply: Reply;
  /** Default 200. */
  status?: number;
  /** Another one with which the reply may come. */
  otherStatus?: number;
  /** Refusals beyond those that every route of the area may answer. */
  errors?: readonly ErrorCode[];
}

const API = 'weir:api';

// biome-ignore lint/suspicious/noExplicitAny: any handler, whatever it takes; what it returns is what is checked
type Handler<Reply extends z.ZodType> = (...args: any[]) => z.input<Reply> | Promise<z.input<Reply>>;

/** Annotates a route. A route without it is refused at run time and fails `routes.spec.ts`. */
export function Api<Reply extends z.ZodType>(spec: ApiSpec<Reply>) {
  return applyDecorators(
    SetMetadata(API, spec),
    // Fastify's own hooks and error paths see the route's configuration, never the handler.
    RouteConfig({ api: spec }),
    HttpCode(spec.status ?? 200),
  ) as <H extends Handler<Reply>>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<H>) => void;
}

/** The annotation of a handler, or undefined. */
export function apiOf(handler: object): ApiSpec | undefined {
  return Reflect.getMetadata(API, handler) as ApiSpec | undefined;
}
