import type { QuietHours } from '@weir/contracts';

const DAY_MINUTES = 1_440;
const MINUTE_MS = 60_000;

/** When the quiet hours that hold at `now` end. Undefined outside of them. A change of the clocks is seen on the next look. */
export function quietUntil(quiet: QuietHours | null, now: Date): Date | undefined {
  if (!quiet) return undefined;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: quiet.timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const minute = minutesOf(clock.format(now));
  const since = (minute - from + DAY_MINUTES) % DAY_MINUTES;
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES;
  if (since >= length) return undefined;
  const startOfMinute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  return new Date(startOfMinute + (length - since) * MINUTE_MS);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
