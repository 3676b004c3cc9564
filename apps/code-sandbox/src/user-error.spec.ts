import { describe, expect, it } from '@jest/globals';
import { OUT_OF_MEMORY, shownText, TIMED_OUT, userErrorOf } from './user-error.js';

const thrown = (text: string) => userErrorOf({ kind: 'thrown', text });

describe('userErrorOf', () => {
  it('cuts the stack after the function that Weir called', () => {
    const stack = [
      'Error: no',
      '    at helper (my code:9:3)',
      '    at async transformEvent (my code:2:39)',
      '    at async runOne (weir:driver:80:5)',
    ];
    expect(thrown(stack.join('\n'))).toEqual({
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
    expect(shownText(stack.join('\n'))).toBe('Error: at load\n    at my code:2:7');
  });

  it('keeps a message that looks like a stack', () => {
    expect(shownText('Error: line one\nat transformEvent it failed\n  see file://x')).toBe(
      'Error: line one\nat transformEvent it failed\n  see file://x',
    );
  });

  it.each([
    ['SyntaxError: Unexpected end of input [my (odd) code:1:19]', { file: 'my (odd) code', line: 1, column: 19 }],
    ['Error: x\n    at transformEvent (my (odd) code:4:5)', { file: 'my (odd) code', line: 4, column: 5 }],
    ['Error: x\n    at a: b:4:5', { file: 'a: b', line: 4, column: 5 }],
    ['Error: import from x failed. Module not found.', undefined],
  ])('finds the place in %j', (text, frame) => expect(thrown(text).frame).toEqual(frame));

  it('has fixed words for limits, with the place when it is known', () => {
    const text =
      'Error: Script execution timed out.\n    at transformEvent (my code:2:3)\n    at (<isolated-vm boundary>)';
    expect(userErrorOf({ kind: 'timeout', text })).toEqual({
      message: TIMED_OUT,
      frame: { file: 'my code', line: 2, column: 3 },
    });
    expect(userErrorOf({ kind: 'memory', text: '' })).toEqual({ message: OUT_OF_MEMORY });
  });
});
