import { useEffect, useState } from 'react';
import { ago, clock, exactClock, fullTime } from '../lib/format.js';
import { store } from '../lib/store.js';

const TICK_MS = 10_000;
const now = store(new Date());
let readers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all times of the page. It stands still while none is shown. */
function useNow(): Date {
  useEffect(() => {
    readers += 1;
    timer ??= setInterval(() => now.set(new Date()), TICK_MS);
    return () => {
      readers -= 1;
      if (readers > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now.use();
}

const LOOKS = { clock, exact: exactClock, full: fullTime };
type Look = 'ago' | keyof typeof LOOKS;

/** A time in the viewer's zone. Hovering tells the exact time in UTC. */
export function Time({ at, look = 'ago', className }: { at: string; look?: Look; className?: string }) {
  const current = useNow();
  const [opened] = useState(() => new Date());
  const date = new Date(at);
  const latest = new Date(Math.max(current.getTime(), opened.getTime()));
  const text = look === 'ago' ? ago(date, latest) : LOOKS[look](date);
  return (
    <time dateTime={at} title={`${date.toISOString().replace('T', ' ').replace('Z', '')} UTC`} className={className}>
      {text}
    </time>
  );
}
