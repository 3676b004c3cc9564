import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { type ApiSpec, apiOf } from './api.js';

/** One route as Nest will register it. */
export interface ModuleRoute {
  method: string;
  /** Starts with a slash and has `:name` for parameters. */
  path: string;
  /** `Controller.method`, for messages and operation ids. */
  handler: string;
  /** Undefined if the route lacks its annotation, which fails `routes.spec.ts`. */
  api: ApiSpec | undefined;
}

/** Reads all routes of these controllers from their metadata, without starting anything. */
export function routesOf(controllers: readonly Type[]): ModuleRoute[] {
  return controllers.flatMap(routesOfController);
}

function routesOfController(controller: Type): ModuleRoute[] {
  const prefixes = pathsOf(controller);
  const methods = methodsOf(controller.prototype);
  return methods.flatMap((name) => {
    const handler: unknown = controller.prototype[name];
    if (typeof handler !== 'function') return [];
    const verb: unknown = Reflect.getMetadata(METHOD_METADATA, handler);
    if (typeof verb !== 'number') return [];
    const method = RequestMethod[verb] ?? 'ALL';
    const paths = prefixes.flatMap((prefix) => pathsOf(handler).map((path) => joined(prefix, path)));
    return paths.map((path) => ({ method, path, handler: `${controller.name}.${name}`, api: apiOf(handler) }));
  });
}

/** Own methods first, then inherited ones, in Nest's order. */
function methodsOf(prototype: object | null): string[] {
  if (prototype === null || prototype === Object.prototype) return [];
  const own = Object.getOwnPropertyNames(prototype);
  return [...new Set([...own, ...methodsOf(Object.getPrototypeOf(prototype))])];
}

const pathsOf = (target: object): string[] => [Reflect.getMetadata(PATH_METADATA, target) as string | string[]].flat();

const joined = (prefix: string, path: string) => `/${`${prefix}/${path}`.split('/').filter(Boolean).join('/')}`;

type Imported = Type | { module: Type };

/** The controllers of these modules and of all modules that they import, each once. */
export function controllersOf(...modules: readonly Imported[]): Type[] {
  const seen = new Set<Type>();
  return modules.flatMap((module) => controllersBelow(module, seen));
}

function controllersBelow(module: Imported, seen: Set<Type>): Type[] {
  const type = 'module' in module ? module.module : module;
  if (seen.has(type)) return [];
  seen.add(type);
  const list = <T>(key: string): T[] => [
    ...((Reflect.getMetadata(key, type) as T[] | undefined) ?? []),
    ...((Reflect.get(module, key) as T[] | undefined) ?? []),
  ];
  const own = list<Type>(MODULE_METADATA.CONTROLLERS);
  return [...own, ...list<Imported>(MODULE_METADATA.IMPORTS).flatMap((imported) => controllersBelow(imported, seen))];
}

/** Knows the methods of each path, so that a wrong method gets 405 with `Allow` instead of 404. */
export class AllowedMethods {
  private readonly routes: { method: string; segments: string[] }[] = [];

  /** `pattern` has the router's form: `/v2/sources/:id`. */
  add(method: string, pattern: string): void {
    this.routes.push({ method, segments: segmentsOf(pattern) });
  }

  /** Methods of a concrete path in order of registration. Empty if no route has that path. */
  of(path: string): string[] {
    const asked = segmentsOf(path);
    const methods = this.routes.filter(({ segments }) => matches(segments, asked)).map(({ method }) => method);
    return [...new Set(methods)];
  }
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

function matches(pattern: string[], path: string[]): boolean {
  const last = pattern.at(-1);
  if (last === '*') return path.length >= pattern.length - 1 && prefixMatches(pattern.slice(0, -1), path);
  return pattern.length === path.length && prefixMatches(pattern, path);
}

const prefixMatches = (pattern: string[], path: string[]) =>
  pattern.every((segment, index) => segment.startsWith(':') || segment === path[index]);
