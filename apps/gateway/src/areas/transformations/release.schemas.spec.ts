import { describe, expect, it } from '@jest/globals';
import { parseBody } from '../../http/validate.js';
import { ActionResults, actionResults, ReleaseBody, releaseItems } from './release.schemas.js';

const A = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const B = '0uk1Hbc9dQ9pxyTqJ93IUrfhdGq';
const items = (body: unknown) => releaseItems(parseBody(ReleaseBody, body));

describe('what is to be published', () => {
  it.each([
    ['a bare version id', [A], { versionId: A }],
    ['an object', [{ versionId: A, extra: 1 }], { versionId: A }],
    ['test input as a list', [{ versionId: A, testInput: [{ a: 1 }] }], { versionId: A, testInput: [{ a: 1 }] }],
    ['test input as text', [{ versionId: A, testInput: '[{"a":1}]' }], { versionId: A, testInput: [{ a: 1 }] }],
    [
      'a test suite',
      [{ versionId: A, testSuite: [{ id: '1', input: [{}], expectedOutput: [1], inputFile: 'f' }] }],
      { versionId: A, testSuite: [{ id: '1', input: [{}], expectedOutput: [1] }] },
    ],
    [
      'a suite to save',
      [{ versionId: A, testSuite: [], saveTests: true }],
      { versionId: A, testSuite: [], saveTests: true },
    ],
  ])('%s', (_, transformations, expected) => {
    expect(items({ transformations })).toEqual({ transformations: [expected], libraries: [] });
  });

  it('takes null for whatever may be left out', () => {
    const nothing = { testInput: null, testSuite: null, saveTests: null };
    expect(items({ transformations: [{ versionId: A, ...nothing }], libraries: null, commitId: null })).toEqual({
      transformations: [{ versionId: A }],
      libraries: [],
    });
    const suite = [{ input: [{}], expectedOutput: null }];
    expect(items({ transformations: [{ versionId: A, testSuite: suite }] }).transformations[0]?.testSuite).toEqual([
      { input: [{}] },
    ]);
    expect(() => items({ transformations: null, libraries: null })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
  });

  it('takes libraries alone, beside an empty list, in both forms', () => {
    expect(items({ transformations: [], libraries: [A, { versionId: B }] })).toEqual({
      transformations: [],
      libraries: [{ versionId: A }, { versionId: B }],
    });
  });

  it.each([
    ['nothing', {}, 'invalid', 'transformations'],
    ['two empty lists', { transformations: [], libraries: [] }, 'invalid', 'transformations'],
    ['no version id', { libraries: [{}] }, 'invalid', 'libraries.0'],
    ['a list of something else', { transformations: [5] }, 'invalid', 'transformations.0'],
    ['no list', { transformations: A }, 'invalid', 'transformations'],
    ['text that is not JSON', { transformations: [{ versionId: A, testInput: '[{' }] }, 'invalid', 'testInput'],
    ['text that is one event', { transformations: [{ versionId: A, testInput: '{}' }] }, 'invalid', 'testInput'],
    ['text with what is no event', { transformations: [{ versionId: A, testInput: '[1]' }] }, 'invalid', 'testInput'],
    ['no text at all', { transformations: [{ versionId: A, testInput: '' }] }, 'invalid', 'testInput'],
    ['deep JSON in text', { transformations: [{ versionId: A, testInput: '['.repeat(99) }] }, 'invalid', 'testInput'],
    ['an id that is none', { libraries: ['nope'] }, 'not_found', 'version'],
    ['too many', { libraries: Array.from({ length: 51 }, () => A) }, 'invalid', 'libraries'],
  ])('refuses %s', (_, body, code, text) => {
    expect(() => items(body)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(text) }));
  });
});

const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const VERSION = '0uk1Hbc9dQ9pxyTqJ93IUrfhdGq';
const transformation = (pass: boolean, actualOutput: unknown[]) => ({
  ...{ id: ID, name: 'T', versionId: VERSION, imports: [], pass },
  ...(!pass && { message: 'Error: boom' }),
  testResult: {
    status: pass ? ('pass' as const) : ('error' as const),
    results: [{ name: 'default', status: 'pass' as const, actualOutput, errors: [], logs: ['Log: hi'] }],
  },
});

describe('actionResults', () => {
  it('tells passed from failed in the form that the CI action reads', () => {
    const results = actionResults({
      pass: false,
      message: 'a test failed',
      validationOutput: {
        transformations: [transformation(true, [{ a: 1 }]), transformation(false, [])],
        libraries: [
          { id: ID, name: 'L', handleName: 'l', versionId: VERSION, pass: true },
          { id: ID, name: 'M', handleName: 'm', versionId: VERSION, pass: false },
        ],
      },
    });
    expect(ActionResults.parse(results)).toEqual({
      result: {
        successTestResults: [
          {
            ...{ id: ID, name: 'T', transformerVersionID: VERSION },
            result: { output: { transformedEvents: [{ a: 1 }], logs: ['Log: hi'] } },
          },
          { id: ID, name: 'L', result: { output: { transformedEvents: [], logs: [] } } },
        ],
        failedTestResults: [
          { id: ID, name: 'T', transformerVersionID: VERSION, result: { error: 'Error: boom' } },
          { id: ID, name: 'M', result: { error: 'a test failed' } },
        ],
      },
    });
  });

  it('shows the results of the other events beside the error', () => {
    const { result } = actionResults({
      pass: false,
      message: 'a test failed',
      validationOutput: {
        transformations: [transformation(false, [{ a: 1 }, { error: 'Error: boom' }])],
        libraries: [],
      },
    });
    expect(result.failedTestResults[0]?.result).toEqual({
      error: 'Error: boom',
      output: { transformedEvents: [{ a: 1 }, { error: 'Error: boom' }], logs: ['Log: hi'] },
    });
  });
});

describe('the condition of an item', () => {
  const itemsWith = (ifMatch: unknown) =>
    items({ transformations: [{ versionId: A, ifMatch }], libraries: [{ versionId: B, ifMatch }] });

  it('has the form of If-Match', () => {
    const { transformations, libraries } = itemsWith('"tag-1", W/"tag-0"');
    for (const [item] of [transformations, libraries]) expect(item?.ifMatch).toEqual(['tag-1']);
    for (const none of [undefined, null, '*']) expect(itemsWith(none).libraries[0]?.ifMatch).toBeUndefined();
  });

  it('is refused by its place otherwise', () => {
    const details = { 'transformations.0.ifMatch': 'must be * or entity tags in double quotes' };
    expect(() => itemsWith('tag-1')).toThrow(expect.objectContaining({ details }));
  });
});
