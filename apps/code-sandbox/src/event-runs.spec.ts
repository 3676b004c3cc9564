import { describe, expect, it } from '@jest/globals';
import { AppError } from '@weir/contracts';
import { EventRuns, type Perform } from './event-runs.js';
import type { Answer, Work } from './pool/job.js';
import type { Failure } from './protocol.js';

const work = (names: string[], more: Partial<Work> = {}): Work => ({
  kind: 'run',
  bundle: { key: 'k', name: 'n', code: '', libraries: [] },
  events: names.map((name) => Buffer.from(name)),
  isPart: false,
  isShareable: true,
  collectLogs: false,
  allowFetch: false,
  credentials: [],
  ...more,
});
const timeout: Failure = { kind: 'timeout' };
const ok = '{"status":"ok","outputs":[{}]}';
const group = (results: string[], isLoose = false) =>
  Buffer.from(`{"results":[${results.join()}],"strays":[]${isLoose ? ',"isLoose":true' : ''}}`);
const answer = (part: Partial<Answer>): Answer => ({
  outcome: Buffer.alloc(0),
  logs: [],
  spent: false,
  wasShared: false,
  ...part,
});
/** Events succeed, except that a run with a `bad` one ends as the test says. */
const sandbox = (says: (names: string[], work: Work) => Partial<Answer>) => {
  const asked: string[] = [];
  const perform: Perform = async (part) => {
    const names = part.events.map(String);
    asked.push(part.kind === 'run' ? names.join('') : part.kind);
    return answer(says(names, part));
  };
  return { asked, perform };
};
const outcomeOf = async (runs: EventRuns) => {
  await runs.run();
  return runs.results.map((result) => {
    const { status, error } = JSON.parse(String(result));
    return error ? error.message : status;
  });
};
const all = (names: string[], result = ok) => group(names.map(() => result));
const TIMED_OUT = 'Error: Script execution timed out.';
const OUT_OF_MEMORY = 'Error: Isolate was disposed during execution due to memory limit';

describe('events of which some run into a limit', () => {
  it('run once when all is well', async () => {
    const { asked, perform } = sandbox((names) => ({ outcome: all(names) }));
    expect(await outcomeOf(new EventRuns(work(['a', 'b']), perform))).toEqual(['ok', 'ok']);
    expect(asked).toEqual(['ab']);
  });

  it('run again alone when it is not known which it was', async () => {
    const { asked, perform } = sandbox((names) =>
      names.includes('x') ? { failure: { kind: 'memory' } } : { outcome: all(names) },
    );
    const results = await outcomeOf(new EventRuns(work(['a', 'x', 'b']), perform));
    expect(results).toEqual(['ok', OUT_OF_MEMORY, 'ok']);
    expect(asked).toEqual(['axb', 'check-transformation', 'a', 'x', 'b']);
  });

  it('are not run again when they came to their end, nor is the one that was stopped', async () => {
    const { asked, perform } = sandbox((names) =>
      names.length > 1
        ? { failure: timeout, outcome: group([ok, '{"status":"stopped"}', 'null', 'null']) }
        : { outcome: all(names) },
    );
    const results = await outcomeOf(new EventRuns(work(['a', 'x', 'b', 'c']), perform));
    expect(results).toEqual(['ok', TIMED_OUT, 'ok', 'ok']);
    expect(asked).toEqual(['axbc', 'b', 'c']);
  });

  it('are all suspects when a loop was left behind', async () => {
    const { asked, perform } = sandbox((names) =>
      names.includes('x')
        ? {
            failure: timeout,
            outcome: group(
              names.map(() => ok),
              true,
            ),
          }
        : { outcome: all(names) },
    );
    const results = await outcomeOf(new EventRuns(work(['a', 'x']), perform));
    expect(results).toEqual(['ok', TIMED_OUT]);
    expect(asked).toEqual(['ax', 'check-transformation', 'a', 'x']);
  });

  it('run again without those of other callers first', async () => {
    const { asked, perform } = sandbox((names, { isShareable }) =>
      isShareable ? { failure: timeout, wasShared: true } : { outcome: all(names) },
    );
    expect(await outcomeOf(new EventRuns(work(['a', 'b']), perform))).toEqual(['ok', 'ok']);
    expect(asked).toEqual(['ab', 'ab']);
  });

  it('all fail when the code cannot be loaded, or runs a batch', async () => {
    const ofCode = sandbox(() => ({ failure: { ...timeout, isOfCode: true } }));
    expect(await outcomeOf(new EventRuns(work(['a', 'b']), ofCode.perform))).toEqual([TIMED_OUT, TIMED_OUT]);
    expect(ofCode.asked).toEqual(['ab']);
    const ofLoading = sandbox(() => ({ failure: timeout }));
    expect(await outcomeOf(new EventRuns(work(['a', 'b']), ofLoading.perform))).toEqual([TIMED_OUT, TIMED_OUT]);
    expect(ofLoading.asked).toEqual(['ab', 'check-transformation']);
    const ofBatch = sandbox((_names, { kind, isPart }) =>
      isPart ? { outcome: Buffer.from('null') } : { ...(kind === 'run' && { failure: timeout }) },
    );
    expect(await outcomeOf(new EventRuns(work(['a', 'b']), ofBatch.perform))).toEqual([TIMED_OUT, TIMED_OUT]);
    expect(ofBatch.asked).toEqual(['ab', 'check-transformation', 'a']);
  });

  it('are not run again when they may have called out: nobody wants two orders', async () => {
    const { asked, perform } = sandbox(() => ({ failure: timeout, outcome: group([ok, 'null'], true) }));
    const results = await outcomeOf(new EventRuns(work(['a', 'x'], { allowFetch: true }), perform));
    expect(results).toEqual(['ok', TIMED_OUT]);
    expect(asked).toEqual(['ax']);
  });

  it('fail as they did when the sandbox has no time for another try', async () => {
    const { perform } = sandbox((names) => {
      if (names.length < 2) throw new AppError('unavailable', 'busy');
      return { failure: timeout, outcome: group([ok, 'null']) };
    });
    expect(await outcomeOf(new EventRuns(work(['a', 'x']), perform))).toEqual(['ok', TIMED_OUT]);
  });

  it('all fail when a child answers what nobody can read', async () => {
    const { perform } = sandbox(() => ({ outcome: Buffer.from('{"results":[],"strays":[]}') }));
    const [result] = await outcomeOf(new EventRuns(work(['a', 'b']), perform));
    expect(result).toBe('Error: The sandbox process ended while it ran this code');
  });
});
