import { AppError } from '@weir/contracts';

/** US-01 to US-08 and the European instances are named after airports, all others after their region. */
export function brazeHost(dataCenter: string): string {
  const [, region, number] = /^([a-z]{2})-(\d{2})$/.exec(dataCenter.trim().toLowerCase()) ?? [];
  if (region === undefined) throw new AppError('invalid', 'dataCenter must be an instance such as US-03');
  if (region === 'eu') return `rest.fra-${number}.braze.eu`;
  if (region === 'us' && Number(number) < 10) return `rest.iad-${number}.braze.com`;
  return `rest.${region}-${number}.braze.com`;
}
