import { describe, expect, it } from '@jest/globals';
import { unknownId } from './errors.js';

const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';

describe('an unknown id in a body', () => {
  it.each([
    ['is repeated', ID, `has no source ${ID}`],
    [
      'is not repeated when it cannot be one: it may be an identifier of a person',
      'ada@example.com',
      'has no source with that id',
    ],
    ['is not repeated when it is empty', '', 'has no source with that id'],
  ])('%s', (_, id, problem) => {
    const { code, message, details } = unknownId('sourceIds', 'source', id);
    expect({ code, message, details }).toEqual({
      code: 'invalid',
      message: `sourceIds ${problem}`,
      details: { sourceIds: problem },
    });
  });
});
