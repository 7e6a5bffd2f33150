import { Table } from '../../design/basics.js';
import { decimal, money, percent } from './language.js';
import { frameTexts } from './texts.js';

export interface Limit {
  readonly kind: 'DEBTOR' | 'DEBTOR_GROUP' | 'ASSIGNOR' | 'TYPE' | 'UF' | 'AVERAGE_TERM';
  readonly base: 'BATCH' | 'PORTFOLIO' | 'NET_WORTH';
  readonly type: string | null;
  readonly maxShare: string | null;
  readonly maxDays: number | null;
}

interface Usage {
  readonly limit: Pick<Limit, 'kind' | 'base' | 'type'>;
  readonly averageDays: string | null;
  readonly used: string | null;
  readonly room: string | null;
  readonly subjects: readonly {
    readonly subject: string;
    readonly amount: string;
    readonly share: string;
    readonly room: string | null;
  }[];
}

export function Limits({ limits, usage }: { readonly limits: readonly Limit[]; readonly usage: readonly Usage[] }) {
  const { limits: text } = frameTexts.get();
  if (limits.length === 0) return null;
  const rows = limits.map((limit) => ({ ...limit, now: usage.find((one) => keyOf(one.limit) === keyOf(limit)) }));
  return (
    <>
      <Table
        caption={text.title}
        rows={rows}
        keyOf={keyOf}
        columns={[
          { label: text.kind, kind: 'wide', cell: nameOf },
          { label: text.base, cell: ({ base }) => text.bases[base] },
          { label: text.max, kind: 'number', cell: maxOf },
          {
            label: text.used,
            kind: 'number',
            cell: ({ now }) => (now?.averageDays == null ? amount(now?.used) : text.days(decimal(now.averageDays))),
          },
          { label: text.room, kind: 'number', cell: ({ now }) => amount(now?.room) },
        ]}
      />
      {rows.map((limit) =>
        limit.now === undefined || limit.now.subjects.length === 0 ? null : (
          <details key={keyOf(limit)}>
            <summary>
              {text.largest}: {nameOf(limit)}, {text.bases[limit.base]}
            </summary>
            <Table
              caption={text.largest}
              rows={limit.now.subjects}
              columns={[
                { label: text.subject, kind: 'nowrap', cell: ({ subject }) => subject },
                { label: text.used, kind: 'number', cell: (one) => money(one.amount) },
                { label: text.share, kind: 'number', cell: ({ share }) => percent(share) },
                { label: text.room, kind: 'number', cell: ({ room }) => amount(room) },
              ]}
            />
          </details>
        ),
      )}
    </>
  );
}

function amount(value: string | null | undefined): string | null {
  return value == null ? null : money(value);
}

function keyOf({ kind, base, type }: Usage['limit']): string {
  return `${kind} ${base} ${type ?? ''}`;
}

function nameOf({ kind, type }: Pick<Limit, 'kind' | 'type'>): string {
  const name = frameTexts.get().limits.kinds[kind];
  return type === null ? name : `${name} (${type})`;
}

function maxOf({ maxShare, maxDays }: Limit): string {
  return maxShare === null ? frameTexts.get().limits.days(decimal(maxDays ?? 0)) : percent(maxShare);
}
