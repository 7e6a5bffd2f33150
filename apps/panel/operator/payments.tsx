import { useState } from 'react';
import { Badge, Empty, Facts, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { TextInput } from '../../design/controls/fields.js';
import { Table, type Column } from '../../design/table.js';
import { date, decimal, language, money } from '../frame/language.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import { Form, Loaded, PageHead, textOf } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { ActDialog, useDialog, type OpenDialog } from './act-dialog.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { ReasonDialog } from './reason-dialog.js';
import { operatorTexts } from './texts.js';

type Due = Operations['duePayments']['data']['overdue']['nodes'][number];
type Series = NonNullable<Operations['seriesPayments']['data']['tranche']>;
type Instalment = Series['schedule']['nodes'][number];

/** What series owe to their holders, and the payments of the instalments of one of them. */
export function Payments() {
  const { payments: text } = operatorTexts.get();
  const [ticker, setTicker] = useState('');
  const search = useAction();
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Form
        action={search}
        fields={['ticker']}
        label={text.series}
        onSubmit={(values) => {
          setTicker(textOf(values, 'ticker').trim());
        }}
      >
        <TextInput name="ticker" label={text.series} maxLength={40} autoComplete="off" />
        <Button type="submit">{text.show}</Button>
      </Form>
      {ticker === '' ? <DuePayments onChoose={setTicker} /> : <SeriesPayments key={ticker} ticker={ticker} />}
    </>
  );
}

/** The overdue payments of all series, and the next ones; each leads to its series. */
function DuePayments({ onChoose }: { readonly onChoose: (ticker: string) => void }) {
  const { payments: text } = operatorTexts.get();
  const query = useQuery(graph, 'duePayments', { locale: language.graph });
  const columns: Column<Due>[] = [
    {
      label: text.series,
      kind: 'nowrap',
      cell: ({ trancheTicker, installmentNumber }) => (
        <Button
          label={`${text.show} ${trancheTicker} ${decimal(installmentNumber)}`}
          onPress={() => {
            onChoose(trancheTicker);
          }}
        >
          {trancheTicker}
        </Button>
      ),
    },
    { label: text.instalment, kind: 'number', cell: ({ installmentNumber }) => decimal(installmentNumber) },
    {
      label: text.due,
      kind: 'nowrap',
      cell: ({ dueDate, daysLate }) => (
        <>
          {date(dueDate)}
          {daysLate === null ? null : <span className="sub">{text.daysLate(decimal(daysLate))}</span>}
        </>
      ),
    },
    { label: text.status, cell: (row) => <Status row={row} /> },
    { label: text.open, kind: 'number', cell: ({ openValue }) => money(openValue) },
  ];
  return (
    <Loaded query={query}>
      {({ overdue, next }) =>
        ([['overdue', overdue] as const, ['next', next] as const] as const).map(([name, { nodes }]) => (
          <Section key={name} id={name} title={text[name]}>
            <Table
              caption={text[name]}
              rows={nodes}
              keyOf={({ trancheTicker, installmentNumber }) => `${trancheTicker} ${String(installmentNumber)}`}
              empty={text.none}
              columns={columns}
            />
          </Section>
        ))
      }
    </Loaded>
  );
}

const tones = { PENDING: 'plain', PARTIALLY_PAID: 'warn', PAID: 'good', OVERDUE: 'bad' } as const;

function Status({ row: { status, statusLabel } }: { readonly row: Pick<Due, 'status' | 'statusLabel'> }) {
  return <Badge tone={tones[status]}>{statusLabel}</Badge>;
}

/** The instalments of a series with their payments. */
function SeriesPayments({ ticker }: { readonly ticker: string }) {
  const { payments: text } = operatorTexts.get();
  const query = useQuery(graph, 'seriesPayments', { ticker, locale: language.graph });
  const { dialog, open } = useDialog();
  const [note, setNote] = useState('');
  const onDone = (said: string) => {
    setNote(said);
    query.reload();
  };
  return (
    <>
      <p role="status" className="note">
        {note}
      </p>
      <Loaded query={query}>
        {({ tranche }) =>
          tranche === null ? (
            <Empty>{text.unknown}</Empty>
          ) : (
            <Section id="series" title={tranche.name}>
              <Facts items={[[text.arrears, money(tranche.overdueValue, 8)]]} />
              <Table
                caption={tranche.name}
                rows={tranche.schedule.nodes}
                keyOf={({ installmentNumber }) => String(installmentNumber)}
                empty={text.none}
                columns={columnsOf({ ticker: tranche.ticker, open, onDone })}
              />
            </Section>
          )
        }
      </Loaded>
      {dialog}
    </>
  );
}

interface Parts {
  readonly ticker: string;
  readonly open: OpenDialog;
  readonly onDone: (said: string) => void;
}

function columnsOf(parts: Parts): Column<Instalment>[] {
  const { payments: text } = operatorTexts.get();
  return [
    { label: text.instalment, kind: 'number', cell: ({ installmentNumber }) => decimal(installmentNumber) },
    { label: text.due, kind: 'nowrap', cell: ({ dueDate }) => date(dueDate) },
    { label: text.status, cell: (row) => <Status row={row} /> },
    { label: text.total, kind: 'number', cell: ({ totalValue }) => money(totalValue) },
    { label: text.open, kind: 'number', cell: ({ openValue }) => money(openValue) },
    { label: text.paid, kind: 'wide', cell: (row) => <PaymentList {...parts} row={row} /> },
    {
      label: text.acts,
      cell: (row) =>
        row.status === 'PAID' || row.projected ? null : (
          <Button
            kind="main"
            label={`${text.pay} ${decimal(row.installmentNumber)}`}
            onPress={() => {
              parts.open((close) => <Pay {...parts} row={row} onClose={close} />);
            }}
          >
            {text.pay}
          </Button>
        ),
    },
  ];
}

/** The payments of an instalment; those that stand can be reversed. */
function PaymentList({ ticker, row, open, onDone }: Parts & { readonly row: Instalment }) {
  const { payments: text } = operatorTexts.get();
  const { installmentNumber } = row;
  return row.payments.map(({ id, paidOn, amount, reference, reversedAt, reversalReason }) => {
    const title = `${date(paidOn)} ${money(amount)}`;
    return (
      <span key={id ?? ''} className="row">
        <span>
          {title} <span className="sub">{id === null ? text.imported : reference}</span>
        </span>
        {reversedAt === null ? (
          <Button
            label={`${text.reverse} ${decimal(installmentNumber)} ${title}`}
            onPress={() => {
              open((close) => (
                <ReasonDialog
                  title={`${text.reverse}: ${title}`}
                  act={text.reverse}
                  onClose={close}
                  run={(reason) => graph.mutate('reversePayment', { ticker, installmentNumber, reason, paymentId: id })}
                  onDone={() => {
                    close();
                    onDone(text.wasReversed);
                  }}
                >
                  <p>{text.reverseText}</p>
                </ReasonDialog>
              ));
            }}
          >
            {text.reverse}
          </Button>
        ) : (
          <span className="small muted">{text.reversed(reversalReason ?? '')}</span>
        )}
      </span>
    );
  });
}

/** Today in São Paulo, `YYYY-MM-DD`. */
const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date());

/** Records a payment, with the late charges of its day in view. */
function Pay({
  ticker,
  row,
  onClose,
  onDone,
}: Omit<Parts, 'open'> & { readonly row: Instalment; readonly onClose: () => void }) {
  const { payments: text } = operatorTexts.get();
  const [paidOn, setPaidOn] = useState(today);
  const { installmentNumber, dueDate, openValue } = row;
  const run = (values: FormData) =>
    graph.mutate('recordPayment', {
      ticker,
      installmentNumber,
      paidOn,
      amount: numberOf(values, 'amount'),
      lateCharges: numberOf(values, 'lateCharges'),
      expenses: numberOf(values, 'expenses'),
      premium: numberOf(values, 'premium'),
      reference: textOf(values, 'reference').trim() || null,
    });
  return (
    <ActDialog
      title={`${text.pay}: ${ticker} ${decimal(installmentNumber)}`}
      act={text.pay}
      fields={['paidOn', 'amount', 'lateCharges', 'expenses', 'premium', 'reference']}
      onClose={onClose}
      run={run}
      onDone={() => {
        onClose();
        onDone(text.recorded);
      }}
    >
      <TextInput name="paidOn" type="date" label={text.paidOn} value={paidOn} onChange={setPaidOn} isRequired />
      <Facts items={[[text.open, money(openValue)]]} />
      {paidOn === '' ? null : <LateCharges ticker={ticker} due={dueDate} on={paidOn} number={installmentNumber} />}
      <NumberInput name="amount" label={text.amount} hint={text.amountHint} />
      <NumberInput name="lateCharges" label={text.lateCharges} />
      <NumberInput name="expenses" label={text.expenses} />
      <NumberInput name="premium" label={text.premium} />
      <TextInput name="reference" label={text.reference} hint={text.referenceHint} maxLength={100} autoComplete="off" />
    </ActDialog>
  );
}

function LateCharges(props: {
  readonly ticker: string;
  readonly due: string;
  readonly on: string;
  readonly number: number;
}) {
  const { ticker, due, on, number } = props;
  const { payments: text } = operatorTexts.get();
  const query = useQuery(graph, 'lateCharges', { ticker, due, on });
  return (
    <Loaded query={query}>
      {({ tranche }) => {
        const charges = tranche?.schedule.nodes.find((one) => one.installmentNumber === number)?.lateCharges ?? null;
        if (charges === null) return <p className="small muted">{text.noCharges}</p>;
        return (
          <Facts
            items={[
              [text.fine, money(charges.fine)],
              [text.mora, money(charges.mora)],
              [text.remuneration, charges.remuneration === null ? text.waitsForIndex : money(charges.remuneration)],
              [text.chargesTotal, charges.total === null ? text.waitsForIndex : money(charges.total)],
            ]}
          />
        );
      }}
    </Loaded>
  );
}
