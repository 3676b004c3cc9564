import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, Metrics } from '@weir/service-kit';
import { z } from 'zod';

/** Keys that never expire by themselves. Operators decide how long to use each one. */
const KEYS = ['WEIR_ENCRYPTION_KEY', 'REGULATION_PEPPER', 'REGULATION_RECEIPT_KEY', 'SCHEMA_PEPPER'] as const;
/** Certificates that an operator renews by hand. Other programs serve them, so Weir cannot read when they expire. */
const CERTIFICATES = ['INGRESS_CERTIFICATE', 'NATS_CERTIFICATE', 'POSTGRES_CERTIFICATE'] as const;
const Key = z.enum([...KEYS, ...CERTIFICATES]);
const End = z.templateLiteral([Key, '=', z.iso.date()], 'must be KEY=YYYY-MM-DD, separated by commas');

/** `KEY=YYYY-MM-DD,…`. A key ends when its day begins, in UTC. */
export const keysEnd = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
  .pipe(z.array(End))
  .transform((ends) => ends.map(toTime));

interface KeyEnd {
  /** The variable that holds the key, or whose certificate it is. */
  key: string;
  /** Unix time. */
  seconds: number;
}

function toTime(end: string): KeyEnd {
  const [key = '', day = ''] = end.split('=');
  return { key, seconds: Date.parse(day) / 1_000 };
}

/** Tells Prometheus when keys end. Nothing else in Weir would notice, because an old key keeps working. */
@Injectable()
export class KeysEnd {
  constructor(metrics: Metrics, @Inject(CONFIG) config: { keysEnd: readonly KeyEnd[] }) {
    const gauge = metrics.gauge({
      name: 'weir_key_end_timestamp_seconds',
      help: 'Unix time at which a key or certificate ends, as KEYS_END says',
      labelNames: ['key'],
    });
    for (const { key, seconds } of config.keysEnd) gauge.set({ key }, seconds);
  }
}
