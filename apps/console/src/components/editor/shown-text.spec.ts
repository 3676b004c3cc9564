import { EditorState } from '@codemirror/state';
import { expect, it } from '@jest/globals';
import { isTyped, showing } from './shown-text.js';

const stored = 'first\r\nsecond\r\n';
const state = EditorState.create({ doc: stored });

it.each([stored, 'first\nsecond\n', 'first\rsecond\r'])(
  'an editor shows %j already, whatever its line ends',
  (text) => {
    expect(showing(state, text)).toBeUndefined();
  },
);

it('another text is shown, and nobody typed it', () => {
  const shown = state.update(showing(state, 'other\r\n') ?? {});
  expect(shown.newDoc.toString()).toBe('other\n');
  expect(isTyped(shown)).toBe(false);
});

it('a key is typed, a move of the cursor is not', () => {
  expect(isTyped(state.update({ changes: { from: 0, insert: 'x' } }))).toBe(true);
  expect(isTyped(state.update({ selection: { anchor: 1 } }))).toBe(false);
});
