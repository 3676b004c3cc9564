import { Injectable } from '@nestjs/common';
import {
  type CodeBundle,
  type DestinationRelease,
  GetBundle,
  isAppError,
  type JsonObject,
  PAYLOAD_BYTES_MAX,
  type ReplyOf,
  type RequestInputOf,
  RunCode,
  usesCredentials,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { UserOutcome } from '../stages/user-stage.js';
import { chunksOf } from './chunks.js';
import type { CodeSecrets } from './code-secrets.js';
import { CredentialCache } from './credential-cache.js';
import { LruCache } from './lru-cache.js';

/** Bundles are at most 384 KiB each (BUNDLE_BYTES_MAX). */
const BUNDLES_MAX = 100;
/** More events at a time do not run faster, and hold up those that are waiting. */
const EVENTS_MAX = 100;
/** Of a request, beside bundle and events. */
const ENVELOPE_BYTES = 4_096;

export interface CodeInput {
  message: JsonObject;
  metadata: JsonObject;
}

export interface HowToRun {
  mode: 'live' | 'test';
  /** What the workspace allows. */
  allowFetch: boolean;
  /** Gets what the code wrote to its console and whom it called, in tests. */
  onRun?: ((run: Pick<ReplyOf<typeof RunCode>, 'logs' | 'fetches'>) => void) | undefined;
}

type Run = Omit<RequestInputOf<typeof RunCode>, 'events'>;

/** Runs the code that is live for a destination. */
@Injectable()
export class CodeRunner {
  private readonly bundles = new LruCache<CodeBundle>(BUNDLES_MAX);

  constructor(
    private readonly rpc: RpcClient,
    private readonly credentials: CredentialCache,
  ) {}

  /**
   * One outcome for each input, in order. What user code did wrong is an outcome; an error of this method means that
   * the code could not be run now.
   */
  async run(
    release: DestinationRelease | null | undefined,
    inputs: CodeInput[],
    { onRun, ...how }: HowToRun,
  ): Promise<UserOutcome[]> {
    if (!release?.versionId) return inputs.map(() => ({ status: 'unlinked' }));
    const bundle = await this.bundleOf(release, release.versionId);
    const credentials = usesCredentials(bundle) ? await this.credentials.of(release.workspaceId) : [];
    const run = { workspaceId: release.workspaceId, bundle, credentials, ...how };
    const room = PAYLOAD_BYTES_MAX - ENVELOPE_BYTES - Buffer.byteLength(JSON.stringify([bundle, credentials]));
    const outcomes: UserOutcome[] = [];
    for (const chunk of chunksOf(inputs, { itemsMax: EVENTS_MAX, bytesMax: room })) {
      outcomes.push(...(await this.runChunk(run, chunk, onRun)));
    }
    return outcomes;
  }

  /** Of all that code of a workspace can ask for, to hide them from those who see what code made. */
  secretsOf(workspaceId: string): Promise<CodeSecrets> {
    return this.credentials.secretsOf(workspaceId);
  }

  /** Results that do not fit one answer are asked for in halves; those of a single event are its error. */
  private async runChunk(run: Run, events: CodeInput[], onRun: HowToRun['onRun']): Promise<UserOutcome[]> {
    try {
      const answer = await this.rpc.send(RunCode, { ...run, events });
      onRun?.(answer);
      return answer.results;
    } catch (error) {
      if (!isAppError(error) || error.code !== 'too_large') throw error;
      if (events.length === 1) return [{ status: 'error', error: { message: `Error: ${error.message}` } }];
      const half = Math.ceil(events.length / 2);
      const first = await this.runChunk(run, events.slice(0, half), onRun);
      return [...first, ...(await this.runChunk(run, events.slice(half), onRun))];
    }
  }

  private async bundleOf(release: DestinationRelease, versionId: string): Promise<CodeBundle> {
    const { workspaceId, libraryVersionIds } = release;
    const key = [workspaceId, versionId, ...libraryVersionIds].join();
    const known = this.bundles.get(key);
    if (known) return known;
    const bundle = await this.rpc.send(GetBundle, { workspaceId, versionId, libraryVersionIds });
    this.bundles.set(key, bundle);
    return bundle;
  }
}
