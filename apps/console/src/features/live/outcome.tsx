import { Badge, type Tone } from '../../components/ui/badge.js';

const TONES: Record<string, Tone> = {
  accepted: 'accent',
  delivered: 'good',
  routed: 'good',
  replayed: 'accent',
  under_way: 'accent',
  failed: 'warn',
  retrying: 'warn',
  dead: 'bad',
};

/** The outcome of an event, in a word. */
export const OutcomeBadge = ({ outcome }: { outcome: string }) => (
  <Badge tone={TONES[outcome] ?? 'neutral'}>{outcome.replaceAll('_', ' ')}</Badge>
);
