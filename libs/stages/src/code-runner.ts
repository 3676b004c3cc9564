import { Injectable } from '@nestjs/common';
import {
  chunksOf,
  type DestinationRelease,
  GetBundle,
  inHalves,
  isAppError,
  type JsonObject,
  PAYLOAD_BYTES_MAX,
  type ReplyOf,
  type RequestInputOf,
  RunCode,
  usesCredentials,
} from '@weir/contracts';
import { JsonText, RpcClient } from '@weir/messaging';
import { LRUCache } from 'lru-cache';
import type { CodeSecrets } from './credentials.js';
import { CredentialCache } from './credentials.js';
import type { UserOutcome } from './transform-stages.js';

/** Bundles are at most 384 KiB each (BUNDLE_BYTES_MAX). */
const BUNDLES_MAX = 100;
/** Larger runs are not faster and delay the events that wait behind them. */
const EVENTS_MAX = 100;
/** Reserved for the fields of a request other than bundle, credentials and events. */
const ENVELOPE_BYTES = 4_096;

export interface CodeInput {
  message: JsonObject;
  metadata: JsonObject;
}

export interface HowToRun {
  mode: 'live' | 'test';
  /** Whether the workspace lets its code call `fetch`. */
  allowFetch: boolean;
  /** Receives the console output and the `fetch` calls of each run. Tests only. */
  onRun?: ((run: Pick<ReplyOf<typeof RunCode>, 'logs' | 'fetches'>) => void) | undefined;
}

type Run = Omit<RequestInputOf<typeof RunCode>, 'events' | 'bundle'>;

/** A bundle as every run sends it, with what a run has to know about it. */
interface SentBundle {
  json: string;
  bytes: number;
  usesCredentials: boolean;
}

/** Runs the code that is live for a destination. */
@Injectable()
export class CodeRunner {
  private readonly bundles = new LRUCache<string, SentBundle>({ max: BUNDLES_MAX });

  constructor(
    private readonly rpc: RpcClient,
    private readonly credentials: CredentialCache,
  ) {}

  /** Returns one outcome per input, in order. An error in user code is an outcome. Throws only when the code cannot run now. */
  async run(
    release: DestinationRelease | null | undefined,
    inputs: CodeInput[],
    { onRun, ...how }: HowToRun,
  ): Promise<UserOutcome[]> {
    if (!release?.versionId) return inputs.map(() => ({ status: 'unlinked' }));
    const bundle = await this.bundleOf(release, release.versionId);
    const credentials = bundle.usesCredentials ? await this.credentials.of(release.workspaceId) : [];
    const run: Run = { workspaceId: release.workspaceId, credentials, ...how };
    const start = `${JSON.stringify(run).slice(0, -1)},"bundle":${bundle.json},"events":[`;
    const room = PAYLOAD_BYTES_MAX - ENVELOPE_BYTES - bundle.bytes - Buffer.byteLength(JSON.stringify(credentials));
    const texts = inputs.map((input) => JSON.stringify(input));
    const outcomes: UserOutcome[] = [];
    for (const chunk of chunksOf(texts, { itemsMax: EVENTS_MAX, bytesMax: room, bytesOf: Buffer.byteLength })) {
      const parts = await inHalves(chunk, (part) => this.runPart(start, part, onRun));
      outcomes.push(...parts.flat());
    }
    return outcomes;
  }

  /** All secrets that code of the workspace can read. Use them to mask what the code produces. */
  secretsOf(workspaceId: string): Promise<CodeSecrets> {
    return this.credentials.secretsOf(workspaceId);
  }

  /**
   * Rejects results that do not fit one reply. A single event whose result does not fit has failed.
   * @param start the JSON of a request up to its events
   */
  private async runPart(start: string, events: readonly string[], onRun: HowToRun['onRun']): Promise<UserOutcome[]> {
    try {
      const answer = await this.rpc.send(RunCode, new JsonText(`${start}${events.join()}]}`));
      onRun?.(answer);
      return answer.results;
    } catch (error) {
      const isTooLarge = isAppError(error) && error.code === 'too_large';
      if (!isTooLarge || events.length > 1) throw error;
      return [{ status: 'error', error: { message: `Error: ${error.message}` } }];
    }
  }

  private async bundleOf(release: DestinationRelease, versionId: string): Promise<SentBundle> {
    const { workspaceId, libraryVersionIds } = release;
    const key = [workspaceId, versionId, ...libraryVersionIds].join();
    const known = this.bundles.get(key);
    if (known) return known;
    const bundle = await this.rpc.send(GetBundle, { workspaceId, versionId, libraryVersionIds });
    const json = JSON.stringify(bundle);
    const sent = { json, bytes: Buffer.byteLength(json), usesCredentials: usesCredentials(bundle) };
    this.bundles.set(key, sent);
    return sent;
  }
}
