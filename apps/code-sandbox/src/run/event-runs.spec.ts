import { describe, expect, it } from '@jest/globals';
import { AppError } from '@weir/contracts';
import type { Answer, Work } from '../pool/job.js';
import type { Failure } from '../wire/protocol.js';
import { EventRuns, type Perform } from './event-runs.js';

const work = (names: string[], more: Partial<Work> = {}): Work => ({
  action: 'run',
  bundle: { key: 'k', name: 'n', code: '', libraries: [] },
  events: names.map((name) => Buffer.from(name)),
  isPartial: false,
  isShareable: true,
  collectLogs: false,
  allowFetch: false,
  credentials: [],
  ...more,
});
const timeout: Failure = { cause: 'timeout' };
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
    asked.push(part.action === 'run' ? names.join('') : part.action);
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

describe('a run in which an event hits a limit', () => {
  it('runs events once when all is well', async () => {
    const { asked, perform } = sandbox((names) => ({ outcome: all(names) }));
    expect(await outcomeOf(new EventRuns(work(['a', 'b']), perform))).toEqual(['ok', 'ok']);
    expect(asked).toEqual(['ab']);
  });

  it('runs each event alone when it cannot tell which one did', async () => {
    const { asked, perform } = sandbox((names) =>
      names.includes('x') ? { failure: { cause: 'memory' } } : { outcome: all(names) },
    );
    const results = await outcomeOf(new EventRuns(work(['a', 'x', 'b']), perform));
    expect(results).toEqual(['ok', OUT_OF_MEMORY, 'ok']);
    expect(asked).toEqual(['axb', 'check-transformation', 'a', 'x', 'b']);
  });

  it('runs neither finished events again nor the one that was stopped', async () => {
    const { asked, perform } = sandbox((names) =>
      names.length > 1
        ? { failure: timeout, outcome: group([ok, '{"status":"stopped"}', 'null', 'null']) }
        : { outcome: all(names) },
    );
    const results = await outcomeOf(new EventRuns(work(['a', 'x', 'b', 'c']), perform));
    expect(results).toEqual(['ok', TIMED_OUT, 'ok', 'ok']);
    expect(asked).toEqual(['axbc', 'b', 'c']);
  });

  it('tries no further in a test once a second event runs into the limit, because then the code loops', async () => {
    const limits: (number | undefined)[] = [];
    const { asked, perform } = sandbox(([name = '']) => ({
      failure: timeout,
      outcome: group(name === 'a' ? ['{"status":"stopped"}', 'null', 'null', 'null'] : ['{"status":"stopped"}']),
    }));
    const noting: Perform = (part, limitMs) => {
      limits.push(limitMs);
      return perform(part, limitMs);
    };
    const results = await outcomeOf(new EventRuns(work(['a', 'b', 'c', 'd']), noting, 500));
    expect(results).toEqual([TIMED_OUT, TIMED_OUT, TIMED_OUT, TIMED_OUT]);
    expect(asked).toEqual(['abcd', 'b']);
    expect(limits).toEqual([undefined, 500]);
  });

  it('spares the events after it in a test too', async () => {
    const { asked, perform } = sandbox((names) =>
      names.length > 1
        ? { failure: timeout, outcome: group(['{"status":"stopped"}', 'null', 'null']) }
        : { outcome: all(names) },
    );
    expect(await outcomeOf(new EventRuns(work(['x', 'b', 'c']), perform, 500))).toEqual([TIMED_OUT, 'ok', 'ok']);
    expect(asked).toEqual(['xbc', 'b', 'c']);
  });

  it('suspects every event when one left a loop behind', async () => {
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

  it('runs them again without the events of other callers first', async () => {
    const { asked, perform } = sandbox((names, { isShareable }) =>
      isShareable ? { failure: timeout, wasShared: true } : { outcome: all(names) },
    );
    expect(await outcomeOf(new EventRuns(work(['a', 'b']), perform))).toEqual(['ok', 'ok']);
    expect(asked).toEqual(['ab', 'ab']);
  });

  it('fails all events when the code cannot be loaded or runs a batch', async () => {
    const ofCode = sandbox(() => ({ failure: { ...timeout, isOfCode: true } }));
    expect(await outcomeOf(new EventRuns(work(['a', 'b']), ofCode.perform))).toEqual([TIMED_OUT, TIMED_OUT]);
    expect(ofCode.asked).toEqual(['ab']);
    const ofLoading = sandbox(() => ({ failure: timeout }));
    expect(await outcomeOf(new EventRuns(work(['a', 'b']), ofLoading.perform))).toEqual([TIMED_OUT, TIMED_OUT]);
    expect(ofLoading.asked).toEqual(['ab', 'check-transformation']);
    const ofBatch = sandbox((_names, { action, isPartial }) =>
      isPartial ? { outcome: Buffer.from('null') } : { ...(action === 'run' && { failure: timeout }) },
    );
    expect(await outcomeOf(new EventRuns(work(['a', 'b']), ofBatch.perform))).toEqual([TIMED_OUT, TIMED_OUT]);
    expect(ofBatch.asked).toEqual(['ab', 'check-transformation', 'a']);
  });

  it('runs nothing again that may have called fetch, because that could order twice', async () => {
    const { asked, perform } = sandbox(() => ({ failure: timeout, outcome: group([ok, 'null'], true) }));
    const results = await outcomeOf(new EventRuns(work(['a', 'x'], { allowFetch: true }), perform));
    expect(results).toEqual(['ok', TIMED_OUT]);
    expect(asked).toEqual(['ax']);
  });

  it('keeps the first failure when the sandbox has no time for another try', async () => {
    const { perform } = sandbox((names) => {
      if (names.length < 2) throw new AppError('unavailable', 'busy');
      return { failure: timeout, outcome: group([ok, 'null']) };
    });
    expect(await outcomeOf(new EventRuns(work(['a', 'x']), perform))).toEqual(['ok', TIMED_OUT]);
  });

  it('fails all events when the answer of a child is unreadable', async () => {
    const { perform } = sandbox(() => ({ outcome: Buffer.from('{"results":[],"strays":[]}') }));
    const [result] = await outcomeOf(new EventRuns(work(['a', 'b']), perform));
    expect(result).toBe('Error: The sandbox process ended while it ran this code');
  });
});
