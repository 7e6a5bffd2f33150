import { Badge, type Tone } from '../design/basics.js';

const tones: Readonly<Record<string, Tone>> = {
  ACTIVE: 'good',
  PAID: 'good',
  DELIVERED: 'good',
  OFFERED: 'plain',
  FUNDRAISING: 'plain',
  PENDING: 'plain',
  DELIVERED_LATE: 'warn',
  PARTIALLY_PAID: 'warn',
  OVERDUE: 'bad',
  DEFAULTED: 'bad',
  ACCELERATED: 'bad',
};

/** The state of something; one without a meaning for the reader is plain. */
export function State({ status, statusLabel }: { readonly status: string; readonly statusLabel: string }) {
  return <Badge tone={tones[status] ?? 'plain'}>{statusLabel}</Badge>;
}
