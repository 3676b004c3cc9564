import { javascript } from '@codemirror/lang-javascript';
import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useShadow } from './shadow.js';
import { editorTheme } from './theme.js';

interface CodeDiffProps {
  /** Undefined for the first of all: then there is nothing to compare with. */
  before: string | undefined;
  after: string;
  /** Say what stands at the left and at the right. */
  labels: readonly [before: string, after: string];
}

/** Two revisions beside each other. A new `key` shows others. */
export default function CodeDiff({ before, after, labels }: CodeDiffProps) {
  const side = (doc: string, label: string) => ({
    doc,
    extensions: [
      lineNumbers(),
      javascript(),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.lineWrapping,
      editorTheme,
    ],
  });
  const host = useShadow((root, parent) => {
    if (before === undefined) {
      const alone = new EditorView({ ...side(after, labels[1]), parent, root });
      return () => alone.destroy();
    }
    const view = new MergeView({
      a: side(before, labels[0]),
      b: side(after, labels[1]),
      parent,
      root,
      collapseUnchanged: { margin: 3 },
    });
    return () => view.destroy();
  });
  return <div ref={host} className="max-h-[60vh] min-h-24 overflow-auto rounded-lg border" />;
}
