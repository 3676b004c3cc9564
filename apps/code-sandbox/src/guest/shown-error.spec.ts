import { describe, expect, it } from '@jest/globals';
import { shownError, shownErrorJson } from './shown-error.js';

const CHARS_MAX = 4_096;
const KNOWN = { errorChars: CHARS_MAX, secrets: ['hunter2'] };
const shown = (text: string) => shownError(text, KNOWN);

describe('shownError', () => {
  it('cuts the stack after the function that Weir called', () => {
    const stack = [
      'Error: no',
      '    at helper (my code:9:3)',
      '    at async transformEvent (my code:2:39)',
      '    at async runOne (weir:driver:80:5)',
    ];
    expect(shown(stack.join('\n'))).toEqual({
      message: stack.slice(0, 3).join('\n'),
      frame: { file: 'my code', line: 9, column: 3 },
    });
  });

  it('shows nothing of the driver or of the host, wherever it stands', () => {
    const stack = [
      'Error: at load',
      '    at read (weir:driver:3:1)',
      '    at file:///srv/weir/dist/child.js:1:1',
      '    at node:internal/process:1:1',
      '    at my code:2:7',
      '    at (<isolated-vm boundary>)',
      '    at Run.load (file:///srv/weir/dist/child.js:12:36)',
    ];
    expect(shown(stack.join('\n')).message).toBe('Error: at load\n    at my code:2:7');
  });

  it('shows nothing of what the language was called for', () => {
    const stack = 'TypeError: Converting circular structure to JSON\n    at JSON.stringify (<anonymous>)';
    expect(shown(stack)).toEqual({ message: 'TypeError: Converting circular structure to JSON' });
  });

  it('keeps a message that looks like a stack', () => {
    const message = 'Error: line one\nat transformEvent it failed\n  see file://x';
    expect(shown(message)).toEqual({ message });
  });

  it.each([
    ['SyntaxError: Unexpected end of input [my (odd) code:1:19]', { file: 'my (odd) code', line: 1, column: 19 }],
    ["SyntaxError: Unexpected token '[' [masks [EU]:2:3]", { file: 'masks [EU]', line: 2, column: 3 }],
    ['Error: x\n    at transformEvent (my (odd) code:4:5)', { file: 'my (odd) code', line: 4, column: 5 }],
    ['Error: x\n    at my (odd) code:4:5', { file: 'my (odd) code', line: 4, column: 5 }],
    ['Error: x\n    at async a: b:4:5', { file: 'a: b', line: 4, column: 5 }],
    ['Error: import from x failed. Module not found.', undefined],
    ['Error: x\n    at f (my code)\n    at :4:5\n    at 4:5\n    at g (a:4:)', undefined],
    [`Error: x\n    at f (my code:${'1'.repeat(500)}:1)`, undefined],
  ])('finds the place in %j', (text, frame) => expect(shown(text).frame).toEqual(frame));

  it('hides secrets in the message and in what stands for the file, where the text is cut as well', () => {
    expect(shown('Error: hunter2\n    at f (hunter2:1:2)')).toEqual({
      message: 'Error: ***\n    at f (***:1:2)',
      frame: { file: '***', line: 1, column: 2 },
    });
    expect(shown(`${'x'.repeat(CHARS_MAX - 3)}hunter2`).message).toBe(`${'x'.repeat(CHARS_MAX - 3)}***`);
  });

  it('cuts a text that is too long, and reads no more lines than a stack may have', () => {
    expect(shown('x'.repeat(5_000_000)).message).toHaveLength(CHARS_MAX);
    expect(shown(`Error${'\n'.repeat(500)}    at f (my code:1:2)`)).toEqual({ message: `Error${'\n'.repeat(99)}` });
  });

  /** Each takes hours in a reader that backtracks or rescans the text from each position. */
  it.each([
    ['lines, brackets and numbers', `E${'\n'.repeat(90)} at ${' ('.repeat(500_000)}${':1'.repeat(500_000)}x`],
    ['brackets and numbers that end as they should', ` at ${' ('.repeat(500_000)}${':1'.repeat(500_000)}:1)x`],
    ['a place of a syntax error', `E ${'['.repeat(1_000_000)}${':1'.repeat(500_000)}x]`],
    ['white space', `\n${' '.repeat(2_000_000)}x`],
    ['names', `\n at ${'a.'.repeat(1_000_000)}x`],
    ['what Weir calls its own', `\n at ${'weir:'.repeat(400_000)}`],
    ['half a secret', 'hunter'.repeat(400_000)],
  ])('reads to its end what is made to be hard to read: %s', (_, text) => {
    const uncut = { ...KNOWN, errorChars: text.length };
    expect(text.startsWith(shownError(text, uncut).message)).toBe(true);
  });

  it('is written as the JSON of itself', () => {
    for (const text of ['Error: "x"\n    at f (my "code":1:2)', 'Error: \ud800', '']) {
      expect(JSON.parse(shownErrorJson(text, KNOWN))).toEqual(shown(text));
    }
  });
});
