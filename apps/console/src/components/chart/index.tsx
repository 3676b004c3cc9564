import { type ComponentProps, lazy, Suspense } from 'react';

/** Most pages show no chart, and the overview has more to say before its own. */
const LazyBars = lazy(() => import('./bars.js'));

export const Bars = (props: ComponentProps<typeof LazyBars>) => (
  <Suspense fallback={<div className="h-32" role="status" aria-label="The chart is loading" />}>
    <LazyBars {...props} />
  </Suspense>
);
