import { type FetchCall, FetchUrl, isAppError } from '@weir/contracts';
import type { RpcClient } from '@weir/messaging';
import { withoutCredentials } from '../guest/mask.js';
import { FETCH_DEADLINE_MS, FETCH_REQUEST_BYTES_MAX, FETCHES_PER_RUN_MAX, SHOWN_URL_CHARS_MAX } from '../limits.js';
import { secretsOf } from '../mask.js';
import type { Fetch } from '../pool/job.js';
import type { FetchAnswer, FetchAsk } from '../wire/protocol.js';

/** User code may put anything in the place of a method, such as a secret or a long text. */
const METHOD = /^[A-Z-]{1,16}$/;
const NO_METHOD = '(no method)';

type Outcome = Pick<FetchAnswer, 'response' | 'error'>;

/**
 * Makes the `fetch` calls of one run. Sets the workspace and counts the calls again, because the asking child ran untrusted code.
 */
export class RunFetches {
  readonly calls: FetchCall[] = [];
  private asked = 0;
  private knownSecrets: readonly string[] | undefined;

  /** @param credentials Their values are masked in {@link calls}. */
  constructor(
    private readonly rpc: RpcClient,
    private readonly workspaceId: string,
    private readonly credentials: { value: string }[],
  ) {}

  /** Made for the first call, because most runs make none. */
  private get secrets(): readonly string[] {
    this.knownSecrets ??= secretsOf(this.credentials);
    return this.knownSecrets;
  }

  readonly fetch: Fetch = async (ask) => {
    const startedAt = performance.now();
    const outcome = await this.outcomeOf(ask);
    if (this.calls.length < FETCHES_PER_RUN_MAX) this.record(ask, outcome, performance.now() - startedAt);
    return { type: 'fetched', task: ask.task, call: ask.call, ...outcome };
  };

  private record({ method, url }: FetchAsk, { response, error = '' }: Outcome, milliseconds: number): void {
    this.calls.push({
      method: this.isMethod(method) ? method : NO_METHOD,
      url: this.shown(url),
      ...(response ? { status: response.status } : { error: this.shown(error) }),
      milliseconds: Math.round(milliseconds),
    });
  }

  /** Methods come in capital letters, so a secret in the place of one does too. */
  private isMethod(method: string): boolean {
    return METHOD.test(method) && !this.secrets.some((secret) => method.includes(secret.toUpperCase()));
  }

  /** Cuts a text, but never within a secret, because the mask would not find its beginning. */
  private shown(text: string): string {
    const longest = this.secrets[0]?.length ?? 0;
    const looked = text.slice(0, SHOWN_URL_CHARS_MAX + longest);
    const masked = withoutCredentials(looked, this.secrets);
    const end = looked === text ? masked.length : Math.max(0, masked.length - longest);
    return masked.slice(0, Math.min(end, SHOWN_URL_CHARS_MAX));
  }

  private async outcomeOf(ask: FetchAsk): Promise<Outcome> {
    this.asked += 1;
    if (this.asked > FETCHES_PER_RUN_MAX)
      return { error: `fetch can be called ${FETCHES_PER_RUN_MAX} times in one run` };
    const { url, method, headers, body } = ask;
    const request = { workspaceId: this.workspaceId, url, method, headers, ...(body !== undefined && { body }) };
    if (Buffer.byteLength(JSON.stringify(request)) > FETCH_REQUEST_BYTES_MAX) {
      return { error: `The request is larger than ${FETCH_REQUEST_BYTES_MAX} bytes` };
    }
    try {
      return { response: await this.rpc.send(FetchUrl, request, { deadlineMs: FETCH_DEADLINE_MS }) };
    } catch (error) {
      return { error: isAppError(error) && error.code !== 'internal' ? error.message : 'fetch failed' };
    }
  }
}
