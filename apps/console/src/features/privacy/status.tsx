import { Badge, type Tone } from '../../components/ui/badge.js';

const TONES: Record<string, Tone> = {
  complete: 'good',
  forwarded: 'accent',
  running: 'accent',
  failed: 'bad',
  aborted: 'bad',
  partial: 'warn',
  not_supported: 'warn',
};

/** The state of a deletion, as a whole or at one destination. */
export const Status = ({ status }: { status: string }) => (
  <Badge tone={TONES[status] ?? 'neutral'}>{status.replace('_', ' ')}</Badge>
);
