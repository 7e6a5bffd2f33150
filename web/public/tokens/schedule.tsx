import { Badge, Links, Section } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { tableLinks } from '../files/table-file.js';
import type { Operations } from '../graph/operations.js';
import { eventOf } from '../interest-events.js';
import type { Locale } from '../locale.js';
import { toneOf } from '../tones.js';

interface ScheduleProps {
  readonly tranche: Pick<NonNullable<Operations['tranchePage']['data']['tranche']>, 'schedule'>;
  readonly locale: Locale;
  /** Address of the files of the schedule, without their names. */
  readonly files: string;
}

/** The payments of a tokenized series; which amounts are confirmed, and which are projected. */
export function Schedule({ tranche, locale, files }: ScheduleProps) {
  const { tranche: text, table, exports } = locale.text;
  const { nodes, totalCount } = tranche.schedule;
  return (
    <Section
      id="schedule"
      title={text.schedule}
      links={
        <Links
          label={exports.label}
          items={[...tableLinks(`${files}/agenda`), { text: exports.calendar, href: `${files}/agenda.ics` }]}
        />
      }
    >
      {nodes.length < totalCount ? (
        <p className="muted small">
          {locale.text.list.shown(locale.decimal(nodes.length), locale.decimal(totalCount))}
        </p>
      ) : null}
      <Table
        caption={text.schedule}
        rows={nodes}
        keyOf={({ installmentNumber }) => String(installmentNumber)}
        empty={text.noSchedule}
        columns={[
          { label: table.number, kind: 'number', cell: ({ installmentNumber }) => installmentNumber },
          { label: table.due, kind: 'nowrap', cell: ({ dueDate }) => locale.date(dueDate) },
          { label: table.event, kind: 'nowrap', cell: (instalment) => eventOf(locale, instalment) },
          {
            label: text.amortization,
            kind: 'number',
            cell: ({ amortizationPercentage }) => locale.percent(amortizationPercentage, 4),
          },
          { label: table.interest, kind: 'number', cell: ({ interestValue }) => locale.money(interestValue) },
          { label: table.principal, kind: 'number', cell: ({ principalValue }) => locale.money(principalValue) },
          { label: table.total, kind: 'number', cell: ({ totalValue }) => locale.money(totalValue) },
          {
            label: text.certainty,
            cell: ({ projected, totalValue }) =>
              totalValue === null ? null : <Badge>{projected ? text.estimated : text.confirmed}</Badge>,
          },
          { label: table.paid, kind: 'nowrap', cell: ({ paidOn }) => locale.date(paidOn) },
          {
            label: table.status,
            cell: ({ status, statusLabel }) => <Badge tone={toneOf(status)}>{statusLabel}</Badge>,
          },
        ]}
      />
    </Section>
  );
}
