import { type ComponentProps, lazy, Suspense } from 'react';

/** The editor is a third of the whole console, so it is loaded when the first one is shown. */
const LazyEditor = lazy(() => import('./code-editor.js'));
const LazyDiff = lazy(() => import('./code-diff.js'));

const Room = () => <div className="h-full min-h-24 bg-sunken/40" role="status" aria-label="The editor is loading" />;

export const CodeEditor = (props: ComponentProps<typeof LazyEditor>) => (
  <Suspense fallback={<Room />}>
    <LazyEditor {...props} />
  </Suspense>
);

export const CodeDiff = (props: ComponentProps<typeof LazyDiff>) => (
  <Suspense fallback={<Room />}>
    <LazyDiff {...props} />
  </Suspense>
);
