import { describe, expect, it } from '@jest/globals';
import { ActionResults, actionResults } from './action-results.js';

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

  it('shows beside the error what the other events became', () => {
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
