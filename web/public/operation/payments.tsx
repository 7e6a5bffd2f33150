import { Badge, Links, Section } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { tableLinks } from '../files/table-file.js';
import { IssuerText } from '../issuer-text.js';
import { toneOf } from '../tones.js';
import type { Operation, PartProps } from './types.js';

type Payment = Operation['payments']['nodes'][number];

/** The schedule: what was paid apart from what is expected. */
export function Payments({ operation, locale, files }: PartProps & { readonly files: string }) {
  const { operation: text, exports } = locale.text;
  const { nodes, totalCount } = operation.payments;
  const paid = nodes.filter(({ status }) => status === 'PAID');
  const open = nodes.filter(({ status }) => status !== 'PAID');
  const table = { operation, locale };
  return (
    <Section
      id="payments"
      title={text.payments}
      links={
        <Links
          label={exports.label}
          items={[...tableLinks(`${files}/pagamentos`), { text: exports.calendar, href: `${files}/agenda.ics` }]}
        />
      }
    >
      {nodes.length < totalCount ? (
        <p className="muted small">{text.lastPayments(locale.decimal(nodes.length), locale.decimal(totalCount))}</p>
      ) : null}
      <h3>{text.projected}</h3>
      <PaymentTable {...table} title={text.projected} rows={open} />
      <h3>{text.confirmed}</h3>
      <PaymentTable {...table} title={text.confirmed} rows={[...paid].reverse()} />
    </Section>
  );
}

function PaymentTable({
  locale,
  title,
  rows,
}: PartProps & { readonly title: string; readonly rows: readonly Payment[] }) {
  const { operation: text, table } = locale.text;
  return (
    <Table
      caption={`${text.payments}: ${title}`}
      rows={rows}
      keyOf={({ id }) => id}
      empty={text.noEvents}
      columns={[
        { label: table.due, kind: 'nowrap', cell: ({ dueDate }) => locale.date(dueDate) },
        { label: table.series, kind: 'nowrap', cell: ({ seriesTicker }) => seriesTicker },
        { label: table.number, kind: 'number', cell: ({ installmentNumber }) => installmentNumber },
        { label: table.event, cell: ({ event }) => <IssuerText locale={locale}>{event}</IssuerText> },
        { label: table.interest, kind: 'number', cell: ({ interestValue }) => locale.money(interestValue) },
        { label: table.principal, kind: 'number', cell: ({ principalValue }) => locale.money(principalValue) },
        { label: table.total, kind: 'number', cell: ({ totalValue }) => locale.money(totalValue) },
        { label: table.paid, kind: 'nowrap', cell: ({ paidDate }) => locale.date(paidDate) },
        { label: table.status, cell: ({ status, statusLabel }) => <Badge tone={toneOf(status)}>{statusLabel}</Badge> },
      ]}
    />
  );
}
