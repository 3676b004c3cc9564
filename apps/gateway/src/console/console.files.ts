import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AppError } from '@weir/contracts';
import { CONFIG } from '@weir/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';

/** The console beside the gateway, in the repository and in the image. */
const BUILT = fileURLToPath(new URL('../../../console/dist', import.meta.url));
const PAGE = 'index.html';
/** Vite puts a hash into the name of everything below it. */
const HASHED = 'assets/';
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * The page loads from this server alone, runs no inline script, and no other page may frame it. Events come from strangers, so
 * injected content must find nothing to run or to call.
 */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Serves the built console. Only files that exist at the start have a path, so no path leads out of the folder. */
@Injectable()
export class ConsoleFiles implements OnModuleInit {
  private readonly root: string;
  private readonly files: ReadonlySet<string>;

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(CONFIG) { console }: Config,
  ) {
    this.root = console.dir ?? BUILT;
    this.files = filesIn(this.root);
  }

  async onModuleInit(): Promise<void> {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    await fastify.register(async (scope) => {
      await scope.register(fastifyStatic, { root: this.root, serve: false, cacheControl: false, preCompressed: true });
      const handler = (request: FastifyRequest, reply: FastifyReply) => this.send(request, reply);
      scope.route({ method: 'GET', url: '/console', handler });
      scope.route({ method: 'GET', url: '/console/*', handler });
    });
  }

  private send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { '*': path = '' } = request.params as { '*'?: string };
    if (!this.files.has(PAGE)) throw new AppError('not_found', NOT_BUILT);
    const file = this.fileFor(path);
    if (file === undefined) throw new AppError('not_found', 'The console has no such file. Reload the page');
    const isHashed = file.startsWith(HASHED);
    void reply.headers({ ...SECURITY_HEADERS, 'cache-control': isHashed ? FOREVER : 'no-cache' });
    return reply.sendFile(file);
  }

  /** Every path that is not a file is a state of the page, except below the assets: an old page must notice that they are gone. */
  private fileFor(path: string): string | undefined {
    if (this.files.has(path)) return path;
    return path.startsWith(HASHED) ? undefined : PAGE;
  }
}

const NOT_BUILT = 'The console is not built: run npm run build, and start the gateway again';

/** Empty if the folder is missing. */
function filesIn(root: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = entries.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
    return new Set(paths.filter((path) => !path.split('/').some((part) => part.startsWith('.'))));
  } catch {
    return new Set();
  }
}
